// Which rows of equal height are drawn.

/** Browsers cut elements that are taller: above it the scroll bar stands for more than a pixel a pixel. */
export const TALLEST = 8_000_000;

/** Rows that are drawn before and after what is seen. */
export const OVERSCAN = 10;

export interface Range {
  first: number;
  /** Behind the last one. */
  end: number;
}

/** Real pixels for one pixel of the scroll bar. */
export function scaleOf(rows: number, height: number): number {
  return Math.max(1, (rows * height) / TALLEST);
}

/** The rows to draw at this place of the scroll bar; `view` is the box's height in pixels. */
export function visible(top: number, view: number, rows: number, height: number): Range {
  const real = top * scaleOf(rows, height);
  const first = Math.max(0, Math.min(rows, Math.floor(real / height) - OVERSCAN));
  const end = Math.max(first, Math.min(rows, Math.ceil((real + view) / height) + OVERSCAN));
  return { first, end };
}

/** Where the scroll bar has to be for `row` to stand a third down the box. */
export function topFor(row: number, view: number, rows: number, height: number): number {
  return Math.max(0, (row * height - view / 3) / scaleOf(rows, height));
}

/** The row that stands there: topFor() the other way around. */
export function rowAt(top: number, view: number, rows: number, height: number): number {
  return Math.round((top * scaleOf(rows, height) + view / 3) / height);
}
