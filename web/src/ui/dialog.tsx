// The browser's own dialog: focus stays in it, Escape closes it. It begins on what has `data-first`.
import { useEffect, useRef, type ReactNode } from 'react';
import { clean } from '../lib/text.ts';

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const el = box.current;
    if (el && !el.open) {
      el.showModal();
      el.querySelector<HTMLElement>('[data-first]')?.focus();
    }
    return () => el?.close();
  }, []);
  return (
    <dialog ref={box} aria-labelledby="dialog-title" onCancel={(e) => (e.preventDefault(), close())}>
      <h2 id="dialog-title">{clean(title)}</h2>
      {children}
    </dialog>
  );
}

interface ButtonsProps {
  no?: string;
  close(): void;
  yes: string;
  look?: string;
  off: boolean;
  go(): void;
}

/** The answer that changes nothing, where the focus begins, and the other one. */
export function Buttons({ no = 'Cancel', close, yes, look = 'primary', off, go }: ButtonsProps) {
  return (
    <p className="row buttons">
      <button type="button" data-first onClick={close}>{no}</button>
      <button type="button" className={look} disabled={off} onClick={go}>{yes}</button>
    </p>
  );
}
