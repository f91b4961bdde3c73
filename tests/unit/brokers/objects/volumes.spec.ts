import { itBuilds } from "../../../support/manifests";

const mounted = (readOnly: boolean) => `{volumes: {data: {path: /data, claimName: c, readOnly: ${readOnly}}}}`;
const view = "{name: flux-view-image, readOnly: true, mountPath: /etc/minicluster/view}";
const software = "{name: flux-view-image, readOnly: true, mountPath: /opt/software, subPath: opt/software}";

describe("the volumes", () => {
  itBuilds(`
# are of each kind (gpu-volumes.yaml has the others)
containers: [{image: i, volumes: {a: {path: /a, hostPath: /x}, d: {path: /d, secretName: s}, e: {emptyDir: true}, g: {path: /g, csiDriver: d, csiDriverAttributes: {a: b}}}}]
  volume.a.hostPath: {path: /x}
  volume.d.secret: {secretName: s}
  volume.e.emptyDir: {}
  volume.g.csi: {driver: d, volumeAttributes: {a: b}, readOnly: false}
# are read-only as a whole where every mount is
containers: [!broker ${mounted(true)}, !side ${mounted(true)}]
  volume.data.persistentVolumeClaim.readOnly: true
  container.side.mounts["/data"]: {name: data, mountPath: /data, readOnly: true}
containers: [!broker ${mounted(true)}, !side ${mounted(false)}]
  volume.data.persistentVolumeClaim.readOnly: false
  container.demo.mounts["/data"].readOnly: true
containers: [!broker ${mounted(false)}, !side ${mounted(true)}]
  {volume.data.persistentVolumeClaim,container.demo.mounts["/data"]}.readOnly: false
# show the certificate and the key of munge to the container that runs Flux alone, and nobody but its owner reads that
{flux: {mungeSecret: login}, containers: [!broker {}, !side {}]}
  volume.minicluster-munge.secret: {secretName: login, defaultMode: 256, items: [{key: munge.key, path: munge.key}]}
  container.demo.mounts["/etc/munge/munge.key"].name: minicluster-munge
  volume.minicluster-certificate.emptyDir: {medium: Memory, sizeLimit: 1Mi}
  container.demo.mounts["/etc/minicluster/certificate"]: {name: minicluster-certificate, mountPath: /etc/minicluster/certificate}
  container.side.mounts: !has {/etc/minicluster/curve: !unset , /etc/minicluster/certificate: !unset , /etc/munge/munge.key: !unset }
  container.flux-view.volumeMounts[2]: !unset
# are, for a view that is an image, where the user says, and read-only, at a place of their own and where the view expects its software
flux: {container: {image: "view:1", imageVolume: true, pullAlways: true}}
|containers: [!broker {}, !side {}]
  volume.flux-view-image.image: {reference: "view:1", pullPolicy: Always}
  container.{demo,side}.mounts: !has {/etc/minicluster/view: ${view}, /opt/software: ${software}}
`);
});
