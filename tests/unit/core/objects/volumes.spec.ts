import { itBuilds } from "../../../support/manifests";
import { aBroker, aSidecar } from "../../../support/fixtures";

const mounted = (readOnly: boolean) => ({ volumes: { data: { path: "/data", claimName: "c", readOnly } } });
const view = { name: "flux-view-image", readOnly: true, mountPath: "/etc/minicluster/view" };
const software = { ...view, mountPath: "/opt/software", subPath: "opt/software" };

describe("the volumes", () => {
  itBuilds(
    "are of each kind (gpu-volumes.yaml has the others)",
    {
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
    {
      "volume.a.hostPath": { path: "/x" },
      "volume.d.secret": { secretName: "s" },
      "volume.e.emptyDir": {},
      "volume.g.csi": { driver: "d", volumeAttributes: { a: "b" }, readOnly: false },
    },
  );
  itBuilds(
    "are read-only as a whole if every mount is",
    { containers: [aBroker({ ...mounted(true) }), aSidecar({ ...mounted(true) })] },
    {
      "volume.data.persistentVolumeClaim.readOnly": true,
      'container.side.mounts["/data"]': { name: "data", mountPath: "/data", readOnly: true },
    },
  );
  itBuilds(
    "are writable if the mount of a sidecar is",
    { containers: [aBroker({ ...mounted(true) }), aSidecar({ ...mounted(false) })] },
    { "volume.data.persistentVolumeClaim.readOnly": false, 'container.demo.mounts["/data"].readOnly': true },
  );
  itBuilds(
    "are writable if the mount of the main container is",
    { containers: [aBroker({ ...mounted(false) }), aSidecar({ ...mounted(true) })] },
    { "volume.data.persistentVolumeClaim.readOnly": false, 'container.demo.mounts["/data"].readOnly': false },
  );
  itBuilds(
    "show the certificate and the munge key to the container that runs Flux alone",
    { flux: { mungeSecret: "login" }, containers: [aBroker(), aSidecar()] },
    {
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
  );
  itBuilds(
    "are, for a view that is an image, mounted read-only at its two places",
    {
      flux: { container: { image: "view:1", imageVolume: true, pullAlways: true } },
      containers: [aBroker(), aSidecar()],
    },
    {
      "volume.flux-view-image.image": { reference: "view:1", pullPolicy: "Always" },
      'container.demo.mounts["/etc/minicluster/view"]': view,
      'container.demo.mounts["/opt/software"]': software,
      'container.side.mounts["/etc/minicluster/view"]': view,
      'container.side.mounts["/opt/software"]': software,
    },
  );
});
