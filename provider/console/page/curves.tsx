import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import type { Sample } from "./model";

interface Curve {
  label: string;
  /** Its index in a sample. */
  column: number;
  /** Variable of the style with its colour. */
  colour: string;
}

const charts: [title: string, curves: Curve[]][] = [
  [
    "Hosts of the last day",
    [
      { label: "free", column: 1, colour: "--free-line" },
      { label: "allocated", column: 2, colour: "--allocated" },
      { label: "drained", column: 3, colour: "--drained" },
    ],
  ],
  [
    "Jobs of the last day",
    [
      { label: "pending", column: 4, colour: "--drained" },
      { label: "running", column: 5, colour: "--allocated" },
    ],
  ],
];

/** Hosts and jobs over time. */
export function Curves({ samples }: { samples: Sample[] }) {
  return (
    <>
      {charts.map(([title, curves]) => (
        <Chart key={title} title={title} curves={curves} samples={samples} />
      ))}
    </>
  );
}

function Chart({ title, curves, samples }: { title: string; curves: Curve[]; samples: Sample[] }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    const draw = () => {
      const data = plot.current?.data ?? columns(samples, curves);
      plot.current?.destroy();
      plot.current = new UPlot(options(current, curves), data, current);
    };
    draw();
    const theme = matchMedia("(prefers-color-scheme: dark)");
    const resizing = new ResizeObserver(() => plot.current?.setSize({ width: current.clientWidth, height }));
    theme.addEventListener("change", draw);
    resizing.observe(current);
    return () => {
      theme.removeEventListener("change", draw);
      resizing.disconnect();
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(columns(samples, curves)), [samples]);
  const last = samples.at(-1);
  const now = curves.map(({ label, column }) => `${last?.[column] ?? 0} ${label}`).join(", ");
  return (
    <section class="chart" aria-label={title}>
      <h2>{title}</h2>
      <div ref={place} role="img" aria-label={`Now ${now}`} />
    </section>
  );
}

const height = 160;

/** Minimum length of the time axis in seconds. */
const shortest = 600;

const columns = (samples: Sample[], curves: Curve[]): UPlot.AlignedData => [
  samples.map(([at]) => at),
  ...curves.map(({ column }) => samples.map((sample) => sample[column] ?? 0)),
];

const reach = (first = Date.now() / 1000, last = first): [number, number] => [Math.min(first, last - shortest), last];

function options(place: HTMLElement, curves: Curve[]): UPlot.Options {
  // A canvas cannot use variables of the style sheet.
  const colour = (name: string) => {
    place.style.color = `var(${name})`;
    const { color } = getComputedStyle(place);
    place.style.color = "";
    return color;
  };
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return {
    width: place.clientWidth,
    height,
    cursor: { y: false },
    scales: {
      // The time axis of an instance that has just started is not a single point.
      x: { range: ({ data: [times] }) => reach(times[0], times.at(-1)) },
      y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] },
    },
    axes: [axis, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] }],
    series: [
      {},
      ...curves.map((curve) => ({
        label: curve.label,
        stroke: colour(curve.colour),
        width: 2,
        points: { show: false },
      })),
    ],
  };
}
