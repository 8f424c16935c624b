// What the mechanism is: how free it is, what holds it twice, and what can be done about it.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import * as act from "../actions";
import { tell } from "../session";
import * as store from "../store";
import { Empty } from "./parts";

export function ReportPanel() {
  useEffect(
    () =>
      effect(() => {
        if (store.scene.value && store.scene.value.version >= 0) void act.fetchReport();
      }),
    [],
  );
  const report = store.report.value;
  if (!report) return <Empty icon="report">No report yet.</Empty>;
  return (
    <div class="report" data-testid="report">
      {store.past.value !== null && <p class="note" data-testid="report.present">Of the present, not of the moment in the picture.</p>}
      <div class="figures">
        <figure><strong data-testid="report.dof">{report.dof}</strong><figcaption>{report.dof === 1 ? "degree of freedom" : "degrees of freedom"}</figcaption></figure>
        <figure class={report.redundant > 0 ? "fair" : ""}><strong data-testid="report.redundant">{report.redundant}</strong><figcaption>{report.redundant === 1 ? "redundant equation" : "redundant equations"}</figcaption></figure>
      </div>
      {report.notes.map((note, i) => (
        <article key={i} class="report-note">
          {note.name && <button type="button" class="link" onClick={() => act.select([note.name!])}>{note.name}</button>}
          <p>{note.text}</p>
          {note.remedy && (
            <button type="button" class="button outlined" data-testid={`remedy.${i}`} disabled={!store.mayEdit.value || store.past.value !== null} onClick={() => void tell(note.remedy!.message)}>
              {note.remedy.label}
            </button>
          )}
        </article>
      ))}
      {report.text && <pre class="report-text">{report.text}</pre>}
    </div>
  );
}
