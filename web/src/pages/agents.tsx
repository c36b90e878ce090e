// The agents that this machine has, and what the doctor says.
import { useState } from 'react';
import { useApp, useLoad } from '../ui/context.ts';
import { Failure, Said, StateMark, Waiting } from '../ui/said.tsx';

export function AgentsPage() {
  const { source } = useApp();
  const [probe, setProbe] = useState(false);
  const agents = useLoad(`agents ${String(probe)}`, () => source.agents(probe));
  const doctor = useLoad('doctor', () => source.doctor());
  return (
    <>
      <div className="pagehead"><h1>Agents</h1><button type="button" className="end" disabled={probe && !agents.data} onClick={() => (probe ? agents.again() : setProbe(true))}>Start each once and ask</button></div>
      {agents.error && !agents.data ? <Failure error={agents.error} again={agents.again} /> : !agents.data ? <Waiting what="Looking for agents" /> : (
        <ul className="agentlist">
          {[...agents.data].sort((a, b) => Number(b.installed) - Number(a.installed)).map((a) => (
            <li key={a.id} data-card>
              <strong><Said text={a.display} /></strong> <code className="muted"><Said text={a.id} /></code>
              <span className="end">{a.installed ? <span className="state good">● installed {a.version}</span> : <span className="state muted">○ not installed</span>}</span>
              <small>
                {a.signed_in === 'yes' && <span className="good">signed in </span>}
                {a.signed_in === 'no' && a.installed && <span className="poor">not signed in </span>}
                <span className="muted"><Said text={[a.path, a.sign_in_detail, a.problem, a.hint].filter((x) => x).join(' · ')} most={400} /></span>
              </small>
            </li>
          ))}
        </ul>
      )}
      <div className="pagehead"><h2>Doctor</h2>{doctor.data && <StateMark state={doctor.data.ok ? 'ok' : 'warn'} />}<button type="button" className="end" onClick={doctor.again}>Ask again</button></div>
      {doctor.error && !doctor.data ? <Failure error={doctor.error} again={doctor.again} /> : !doctor.data ? <Waiting what="Examining this machine" /> : (
        <ul className="agentlist">
          {doctor.data.checks.map((c) => (
            <li key={c.name}>
              <strong><Said text={c.name} /></strong><span className="end"><StateMark state={c.status} /></span>
              <small><Said text={c.detail} most={600} />{c.remedy !== '' && c.status !== 'ok' && <> <span className="muted"><Said text={c.remedy} most={600} /></span></>}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
