import { amount } from "./format";
import type { Cost } from "./model";

/** The cost of the jobs, by queue and user, and of all hosts. */
export function CostTable({ hosts = 0, jobs = [] }: Partial<Cost>) {
  const used = jobs.reduce((sum, { perHour }) => sum + perHour, 0);
  return (
    <section aria-labelledby="cost">
      <h2 id="cost">Cost</h2>
      <p>
        Hosts cost {amount(hosts)} per hour, {amount(used)} of it for jobs.
      </p>
      {jobs.length > 0 && (
        <table aria-labelledby="cost">
          <thead>
            <tr>
              <th scope="col">User</th>
              <th scope="col">Queue</th>
              <th scope="col">Per hour</th>
              <th scope="col">Today</th>
              <th scope="col">Month</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ user, queue, perHour, today, month }) => (
              <tr key={`${queue} ${user}`}>
                <td>{user}</td>
                <td data-label="queue">{queue}</td>
                <td data-label="per hour">{amount(perHour)}</td>
                <td data-label="today">{amount(today)}</td>
                <td data-label="month">{amount(month)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
