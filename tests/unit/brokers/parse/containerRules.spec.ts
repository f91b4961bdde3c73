import { itJudges } from "../../../support/cases";

describe("the rules of containers", () => {
  describe("on who runs Flux, and under which name", () => {
    itJudges(String.raw`
containers: [{image: i, command: x, name: a, runFlux: false}]
  containers: 0 containers run Flux; set runFlux: true on exactly one of them
containers: [!broker {}, !broker {name: side}]
  containers: 2 containers run Flux; set runFlux: true on exactly one of them
containers: [!broker {}, {image: i, command: x}, {image: i, command: x, name: demo}]
  containers[1].name: a container that does not run Flux needs a name; give it one
  containers[2].name: "demo" is the name of containers[0] too; rename one of them
{flux: {container: {name: side}}, containers: [!broker {}, !side {}]}
  containers[1].name: "side" is the name of flux.container too; rename one of them
# a container called flux-view where there is no view
{flux: {container: {disable: true}}, containers: [!broker {name: flux-view}, !side {}]}
`);
  });

  describe("on commands", () => {
    itJudges(String.raw`
containers: [{image: i, command: x, pullAlways: true, imagePullPolicy: Never, noWrapEntrypoint: true, commands: {script: y, servicePre: x}}]
  containers[0].commands.script: script takes the place of command; give one of them
  containers[0].pullAlways: pullAlways and imagePullPolicy say the same thing; keep imagePullPolicy: "Always"
  containers[0].{commands.servicePre,noWrapEntrypoint}: is only for a container that does not run Flux; remove it or move it there
containers: [!broker {}, {image: i, name: side, commands: {init: x}}]
  containers[1].commands: require a command; this container uses its image's entrypoint: add command or script
containers: [!broker {}, !side {commands: {prefix: "", pre: x, brokerPre: x, workerPre: x}, launcher: true, batch: true, batchRaw: true, logs: /out}]
  containers[1].commands.{prefix,pre,brokerPre,workerPre}: is only for the container that runs Flux; remove it or move it there
  containers[1].{launcher,batch,batchRaw,logs}: is only for the container that runs Flux; remove it or move it there
containers: [!broker {}, !side {noWrapEntrypoint: true, commands: {servicePre: y}}, {image: i, name: b, noWrapEntrypoint: true, commands: {script: y}}]
  containers{[1],[2]}.commands: need a start script, which noWrapEntrypoint leaves out; remove one of them
# commands of a sidecar that all say nothing
containers: [!broker {}, {image: i, command: !unset, name: side, commands: {init: !unset}}, !side {name: b, noWrapEntrypoint: true, commands: {init: !unset}}]
# a sidecar that runs its image's own command
containers: [!broker {}, {image: i, name: side, noWrapEntrypoint: true}]
`);
  });

  describe("on batch jobs", () => {
    itJudges(String.raw`
containers: [{image: i, command: "\ \n", batch: true}]
  containers[0].batch: a batch job needs a command with its lines; add command or remove batch
containers: [{image: i, command: x, launcher: true, batch: true}]
  containers[0].launcher: a launcher submits its own jobs; keep launcher or batch
containers: [{image: i, command: x, batchRaw: true}]
  containers[0].batchRaw: requires batch; add batch: true or remove it
# A script in place of the command is told where it goes.
containers: [{image: i, batch: true, commands: {script: x}}]
  containers[0].commands.script: a batch job takes its script from command; move it there and set batchRaw: true
  containers[0].batch: a batch job needs a command with its lines; add command or remove batch
# switches that are off
containers: [{image: i, command: x, batch: false, batchRaw: false, launcher: true}]
`);
  });

  describe("on the environment", () => {
    itJudges(String.raw`
flux: {environment: {FLUX_OUTPUT_DIR: /out, MINICLUSTER_SIZE: "1"}}
|containers: [{image: i, command: x, environment: {MINICLUSTER_SIZE: "1", MINICLUSTER_LEAD: a, JOB_COMPLETION_INDEX: "1", TOKEN: a, FLUX_OUTPUT_DIR: /out}, secrets: {MINICLUSTER_SIZE: {name: s, key: k}, TOKEN: {name: s, key: k}}}]
  flux.environment.MINICLUSTER_SIZE: is set by the component or by Kubernetes; choose another name
  flux.environment.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there
  containers[0].environment.{MINICLUSTER_SIZE,MINICLUSTER_LEAD,JOB_COMPLETION_INDEX}: is set by the component or by Kubernetes; choose another name
  containers[0].secrets.MINICLUSTER_SIZE: is set by the component or by Kubernetes; choose another name
  containers[0].secrets.{MINICLUSTER_SIZE,TOKEN}: is in environment, too; keep one of them
  containers[0].environment.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there
containers: [{image: i, command: x, secrets: {FLUX_OUTPUT_DIR: {name: s, key: k}}}]
  containers[0].secrets.FLUX_OUTPUT_DIR: is set by the container's logs; give the directory there
# a sidecar's own directory for output
containers: [!broker {}, !side {environment: {FLUX_OUTPUT_DIR: /out}}]
`);
  });

  describe("on volumes", () => {
    itJudges(String.raw`
containers: [{image: i, command: x, volumes: {minicluster-config: {emptyDir: true}, data: {path: /mnt/flux/data, claimName: c}, b: {emptyDir: true}}}]
  containers[0].volumes["minicluster-config"]: is the name of one of the component's own volumes; choose another name
  containers[0].volumes.data.path: /mnt/flux/data is on the Flux volume at /mnt/flux; choose another directory
  containers[0].volumes.b.path: /dev/shm is the path of volume "minicluster-config" too; choose another directory
flux: {container: {mountPath: /flux/}}
|containers: [{image: i, command: x, volumes: {data: {path: /flux/data, claimName: c}}}]
  containers[0].volumes.data.path: /flux/data is on the Flux volume at /flux/; choose another directory
containers: [!broker {volumes: {data: {path: /a, claimName: a}, c: {path: /c, configMapName: c, items: {a: a}}}}, !side {volumes: {data: {path: /a, claimName: b}, c: {path: /c, configMapName: c, items: {a: b}}}}]
  containers[1].volumes.{data,c}: has another source in containers[0]; a volume has one source in a pod, so rename one of them
# one volume at two paths, once read-only, and one whose other sources are switched off
containers: [!broker {volumes: {data: {path: /a, claimName: c, emptyDir: false}}}, !side {volumes: {data: {path: /b, claimName: c, readOnly: true}}}]
# one volume whose sources are only known later
containers: [!broker {volumes: {data: {path: /a, configMapName: !later x, items: {a: !later x}}}}, !side {volumes: {data: {path: /a, configMapName: !later x, items: {a: !later x}}}}]
# a path that only looks as if it were on the Flux volume
containers: [{image: i, command: x, volumes: {data: {path: /mnt/flux-data, claimName: c}}}]
`);
  });
});
