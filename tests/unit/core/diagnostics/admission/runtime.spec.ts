import {
  aBroker,
  aContainer,
  aMiniClusterArgs,
  withBroker,
  withSidecar,
  withTemplate,
} from "../../../../support/fixtures";
import { validating } from "../../../../support/problems";

const { accepts, rejects } = validating();

/** Bytes that Linux passes to a program in one string, and the message on one more. */
const most = 131_071;
const tooLong = `has ${most + 1} bytes, and Linux passes at most ${most} to a program; move it to a file`;

/** A path of some bytes, in names that are short enough. */
const pathOf = (bytes: number) => `/${"directory/".repeat(500)}`.slice(0, bytes).replace(/\/$/, "x");
const longPath = "must have at most 4095 bytes, and at most 255 in each name; choose a shorter path";

const inVolume = (volume: object, path = "/mnt") => ({ volumes: { v: { path, ...volume } } });

describe("what no container starts with", () => {
  const value = (bytes: number) => "x".repeat(bytes - "KEY=".length);
  rejects({
    [`containers[0].environment.KEY: ${tooLong}`]: withBroker({ environment: { KEY: value(most + 1) } }),
    [`containers[1].environment.KEY: ${tooLong}`]: withSidecar({ environment: { KEY: value(most + 1) } }),
    [`services[0].environment.KEY: ${tooLong}`]: {
      services: [aContainer({ name: "s", environment: { KEY: value(most + 1) } })],
    },
    [`podTemplate.spec.containers[0].env[0].value: ${tooLong}`]: withTemplate({
      containers: [{ name: "demo", env: [{ name: "KEY", value: value(most + 1) }] }],
    }),
    [`podTemplate.spec.containers[0].args[0]: ${tooLong}`]: withTemplate({
      containers: [{ name: "further", image: "i", args: ["x".repeat(most + 1)] }],
    }),
    [`flux.environment.KEY: ${tooLong}`]: { flux: { environment: { KEY: value(most + 1) } } },
    [`flux.optionFlags: ${tooLong}`]: { flux: { optionFlags: `-o ${"x".repeat(most + 1)}` } },
    [`containers[0].command: ${tooLong}`]: withBroker({ command: `echo ${"x".repeat(most + 1)}` }),
  });
  accepts({
    "an environment of the most that Linux passes": withBroker({ environment: { KEY: value(most) } }),
    // Bash reads it from a file.
    "a longer command for a shell": withBroker({ command: `cat <<< "${"x".repeat(most + 1)}"` }),
  });

  rejects({
    [`containers[0].workingDir: ${longPath}`]: withBroker({ workingDir: pathOf(4096) }),
    [`containers[0].volumes.v.path: ${longPath}`]: withBroker(inVolume({ emptyDir: true }, `/${"é".repeat(128)}`)),
    [`containers[0].volumes.v.hostPath: ${longPath}`]: withBroker(inVolume({ hostPath: pathOf(4096) })),
    [`podTemplate.spec.containers[0].volumeMounts[0].mountPath: ${longPath}`]: withTemplate({
      volumes: [{ name: "v", emptyDir: {} }],
      containers: [{ name: "demo", volumeMounts: [{ name: "v", mountPath: `/${"x".repeat(256)}` }] }],
    }),
  });
  accepts({ "a path as long as Linux allows": withBroker({ workingDir: pathOf(4095) }) });

  const covered = (path: string, below: string) =>
    `${path} is read-only, and the component mounts ${below} below it; choose another directory`;
  rejects({
    [`containers[0].volumes.v.path: ${covered("/mnt", "/mnt/flux")}`]: [
      { claimName: "c", readOnly: true },
      { hostPath: "/data", readOnly: true },
      { csiDriver: "d", readOnly: true },
      { configMapName: "c" },
      { secretName: "s" },
    ].map((volume) => withBroker(inVolume(volume))),
    [`containers[0].volumes.v.path: ${covered("/etc", "/etc/minicluster/config")}`]: withBroker(
      inVolume({ claimName: "c", readOnly: true }, "/etc"),
    ),
    [`containers[0].volumes.v.path: ${covered("/opt", "/opt/software")}`]: withBroker(
      inVolume({ claimName: "c", readOnly: true }, "/opt"),
    ),
    [`containers[0].volumes.v.path: ${covered("/srv", "/srv/a/b")}`]: {
      containers: [aBroker(inVolume({ claimName: "c", readOnly: true }, "/srv"))],
      flux: { container: { mountPath: "/srv/a/b" } },
    },
    [`containers[1].volumes.v.path: ${covered("/mnt", "/mnt/flux")}`]: withSidecar(
      inVolume({ claimName: "c", readOnly: true }),
    ),
    [`podTemplate.spec.containers[0].volumeMounts[0].mountPath: ${covered("/mnt", "/mnt/flux")}`]: withTemplate({
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c", readOnly: true } }],
      containers: [{ name: "demo", volumeMounts: [{ name: "v", mountPath: "/mnt" }] }],
    }),
  });
  accepts({
    "a volume above the component's that the runtime can write to": withBroker(inVolume({ claimName: "c" })),
    "a read-only one beside them": withBroker(inVolume({ claimName: "c", readOnly: true }, "/mnt/data")),
  });
});

describe("the Flux volume", () => {
  const path = (bytes: number) => ({ flux: { container: { mountPath: `/${"x".repeat(bytes - 1)}` } } });
  rejects({
    "flux.container.mountPath: must have at most 80 bytes, so that Flux can create its sockets below it; …": [
      path(81),
      path(111),
    ],
  });
  accepts({ "a path of 80 bytes": aMiniClusterArgs(path(80)) });
});
