import { useRef, useState } from "preact/hooks";
import { Problem, useAction } from "./action";
import type { Server } from "./server";

/** The fields of a submission, each with its label. */
const fields: [name: string, label: string, isNumber?: boolean][] = [
  ["num_nodes", "Hosts", true],
  ["num_tasks", "Tasks", true],
  ["cores_per_task", "Cores per task", true],
  ["gpus_per_task", "GPUs per task", true],
  ["runtime", "Time limit in seconds", true],
  ["urgency", "Urgency, 0 to 31", true],
  ["name", "Name"],
  ["queue", "Queue"],
  ["workdir", "Working directory"],
];

/** A form that submits a job. */
export function Submit({ server }: { server: Server }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [job, setJob] = useState<Record<string, string>>({});
  const [action, run] = useAction();
  const set = (name: string, value: string) => setJob((known) => ({ ...known, [name]: value }));
  const submit = async () => {
    const { f58 } = await server.post<{ f58: string }>("/v1/jobs/submit", job);
    dialog.current?.close();
    setJob({});
    location.hash = `job=${f58}`;
  };
  return (
    <>
      <button type="button" class="main" onClick={() => dialog.current?.showModal()}>
        Submit a job
      </button>
      <dialog ref={dialog} aria-labelledby="submit">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            run(submit);
          }}
        >
          <h2 id="submit">Submit a job</h2>
          <label class="wide">
            Command
            <input
              required
              autofocus
              spellcheck={false}
              value={job["command"] ?? ""}
              onInput={(event) => set("command", event.currentTarget.value)}
            />
          </label>
          {fields.map(([name, label, isNumber = false]) => (
            <label key={name}>
              {label}
              <input
                inputMode={isNumber ? "numeric" : "text"}
                value={job[name] ?? ""}
                onInput={(event) => set(name, event.currentTarget.value)}
              />
            </label>
          ))}
          <Problem action={action} />
          <div class="buttons">
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
            <button type="submit" class="main" disabled={action.isBusy}>
              Submit
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
