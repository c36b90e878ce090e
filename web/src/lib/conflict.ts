// Text between the marks of a merge.

/** The look of each line: the side it is of, or what it is. */
export function conflictLooks(lines: readonly string[]): string[] {
  let side = '';
  return lines.map((line) => {
    if (line.startsWith('@@ ')) return 'where';
    if (line.startsWith('<<<<<<< ')) return (side = 'ours', 'mark');
    if (side !== '' && line === '=======') return (side = 'theirs', 'mark');
    if (line.startsWith('>>>>>>> ')) return (side = '', 'mark');
    return side;
  });
}
