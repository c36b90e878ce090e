// Server-sent events out of pieces of text, cut anywhere.
export interface Frame {
  id: string;
  event: string;
  data: string;
}

export class SseParser {
  private rest = '';
  private id = '';
  private event = '';
  private data: string[] = [];

  constructor(private readonly emit: (frame: Frame) => void) {}

  feed(piece: string): void {
    this.rest += piece;
    for (;;) {
      const at = this.rest.search(/\r\n|\n|\r/);
      if (at < 0) return;
      // A carriage return at the very end may be half of a line end.
      if (this.rest[at] === '\r' && at + 1 === this.rest.length) return;
      const line = this.rest.slice(0, at);
      this.rest = this.rest.slice(at + (this.rest.startsWith('\r\n', at) ? 2 : 1));
      this.line(line);
    }
  }

  private line(line: string): void {
    if (line === '') return this.dispatch();
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'data') this.data.push(value);
    else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
  }

  private dispatch(): void {
    if (this.data.length > 0) this.emit({ id: this.id, event: this.event || 'message', data: this.data.join('\n') });
    this.id = '';
    this.event = '';
    this.data = [];
  }
}
