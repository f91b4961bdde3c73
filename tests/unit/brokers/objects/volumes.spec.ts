import { itBuilds } from "../../../support/manifests";
import { aBroker, aSidecar } from "../../../support/fixtures";

const mounted = (readOnly: boolean) => ({ volumes: { data: { path: "/data", claimName: "c", readOnly } } });
const view = { name: "flux-view-image", readOnly: true, mountPath: "/etc/minicluster/view" };
const software = { ...view, mountPath: "/opt/software", subPath: "opt/software" };

describe("the volumes", () => {
  itBuilds([
    {
      name: "are of each kind (gpu-volumes.yaml has the others)",
      args: {
        containers: [
          {
            image: "i",
            volumes: {
              a: { path: "/a", hostPath: "/x" },
              d: { path: "/d", secretName: "s" },
              e: { emptyDir: true },
              g: { path: "/g", csiDriver: "d", csiDriverAttributes: { a: "b" } },
            },
          },
        ],
      },
      want: {
        "volume.a.hostPath": { path: "/x" },
        "volume.d.secret": { secretName: "s" },
        "volume.e.emptyDir": {},
        "volume.g.csi": { driver: "d", volumeAttributes: { a: "b" }, readOnly: false },
      },
    },
    {
      name: "are read-only as a whole if every mount is",
      args: {
        containers: [aBroker({ ...mounted(true) }), aSidecar({ ...mounted(true) })],
      },
      want: {
        "volume.data.persistentVolumeClaim.readOnly": true,
        'container.side.mounts["/data"]': { name: "data", mountPath: "/data", readOnly: true },
      },
    },
    {
      name: "are writable if the mount of a sidecar is",
      args: {
        containers: [aBroker({ ...mounted(true) }), aSidecar({ ...mounted(false) })],
      },
      want: { "volume.data.persistentVolumeClaim.readOnly": false, 'container.demo.mounts["/data"].readOnly': true },
    },
    {
      name: "are writable if the mount of the main container is",
      args: {
        containers: [aBroker({ ...mounted(false) }), aSidecar({ ...mounted(true) })],
      },
      want: { "volume.data.persistentVolumeClaim.readOnly": false, 'container.demo.mounts["/data"].readOnly': false },
    },
    {
      name: "show the certificate and the munge key to the container that runs Flux alone",
      args: {
        flux: { mungeSecret: "login" },
        containers: [aBroker(), aSidecar()],
      },
      want: {
        "volume.minicluster-munge.secret": {
          secretName: "login",
          defaultMode: 256,
          items: [{ key: "munge.key", path: "munge.key" }],
        },
        'container.demo.mounts["/etc/munge/munge.key"].name': "minicluster-munge",
        "volume.minicluster-certificate.emptyDir": { medium: "Memory", sizeLimit: "1Mi" },
        'container.demo.mounts["/etc/minicluster/certificate"]': {
          name: "minicluster-certificate",
          mountPath: "/etc/minicluster/certificate",
        },
        'container.side.mounts["/etc/minicluster/curve"]': undefined,
        'container.side.mounts["/etc/minicluster/certificate"]': undefined,
        'container.side.mounts["/etc/munge/munge.key"]': undefined,
        "container.flux-view.volumeMounts[2]": undefined,
      },
    },
    {
      name: "are, for a view that is an image, mounted read-only at its two places",
      args: {
        flux: { container: { image: "view:1", imageVolume: true, pullAlways: true } },
        containers: [aBroker(), aSidecar()],
      },
      want: {
        "volume.flux-view-image.image": { reference: "view:1", pullPolicy: "Always" },
        'container.demo.mounts["/etc/minicluster/view"]': view,
        'container.demo.mounts["/opt/software"]': software,
        'container.side.mounts["/etc/minicluster/view"]': view,
        'container.side.mounts["/opt/software"]': software,
      },
    },
  ]);
});
