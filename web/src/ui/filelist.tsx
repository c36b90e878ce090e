// The files of a diff beside it.
import { Delta, Said } from './said.tsx';

export interface FileEntry {
  path: string;
  note: string;
  added: number;
  removed: number;
  flagged: boolean;
}

export function FileList({ files, current, open }: { files: readonly FileEntry[]; current: number; open(index: number): void }) {
  return (
    <nav className="files" aria-label="Files">
      <h2>Files <span className="muted">{files.length}</span></h2>
      <ul>
        {files.map((f, i) => (
          <li key={f.path}>
            <button type="button" className="quiet" data-nav aria-current={i === current ? 'true' : undefined} onClick={() => open(i)}>
              <span className="path"><Said text={f.path} most={300} /></span>
              <span className="stat">
                {f.flagged && <span className="poor" title="the tamper report names it">! </span>}
                {f.note !== '' && <span className="muted">{f.note} </span>}
                <Delta added={f.added} removed={f.removed} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
