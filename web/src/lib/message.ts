// The last message of an agent.

const LINES = 10;

/** Whether a message asks something: one of its last lines ends with a question mark. */
export function asks(text: string): boolean {
  return text.trim().split(/\n+/).slice(-LINES).some((line) => /[?？؟]["'’”»)\]*_` ]*$/.test(line));
}
