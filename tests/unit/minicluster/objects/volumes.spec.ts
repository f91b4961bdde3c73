import { itBuilds } from "../../../support/manifests";

const mounted = (readOnly: boolean) => `{volumes: {data: {path: /data, claimName: c, readOnly: ${readOnly}}}}`;
const view = "{name: flux-view-image, readOnly: true, mountPath: /etc/minicluster/view}";
const software = "{name: flux-view-image, readOnly: true, mountPath: /opt/software, subPath: opt/software}";

describe("the volumes", () => {
  itBuilds(`
# are of each kind
containers: [{image: i, volumes: {a: {path: /a, hostPath: /x}, b: {path: /b, configMapName: c, items: {a: b/c}}, c: {path: /c, claimName: c, readOnly: true}, d: {path: /d, secretName: s}, e: {emptyDir: true}, f: {path: /f, emptyDir: true, emptyDirMedium: Memory, emptyDirSizeLimit: 1Gi}, g: {path: /g, csiDriver: d, csiDriverAttributes: {a: b}}}}]
  volume.a: {name: a, hostPath: {path: /x}}
  volume.b: {name: b, configMap: {name: c, items: [{key: a, path: b/c}]}}
  volume.c: {name: c, persistentVolumeClaim: {claimName: c, readOnly: true}}
  volume.d: {name: d, secret: {secretName: s}}
  volume.e: {name: e, emptyDir: {}}
  volume.f: {name: f, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  volume.g: {name: g, csi: {driver: d, volumeAttributes: {a: b}, readOnly: false}}
# are read-only as a whole where every mount is
containers: [!broker ${mounted(true)}, !side ${mounted(true)}]
  volume.data.persistentVolumeClaim.readOnly: true
  container.side.mounts["/data"]: {name: data, mountPath: /data, readOnly: true}
containers: [!broker ${mounted(true)}, !side ${mounted(false)}]
  volume.data.persistentVolumeClaim.readOnly: false
  container.demo.mounts["/data"].readOnly: true
  container.side.mounts["/data"].readOnly: false
containers: [!broker ${mounted(false)}, !side ${mounted(true)}]
  volume.data.persistentVolumeClaim.readOnly: false
  container.demo.mounts["/data"].readOnly: false
# show the certificate and the key of munge to the container that runs Flux alone, and nobody but its owner reads that
{flux: {mungeSecret: login}, containers: [!broker {}, !side {}]}
  volume.minicluster-munge.secret: {secretName: login, defaultMode: 256, items: [{key: munge.key, path: munge.key}]}
  container.demo.mounts["/etc/minicluster/curve"].name: minicluster-curve
  container.demo.mounts["/etc/munge/munge.key"].name: minicluster-munge
  container.side.mounts["/etc/minicluster/curve"]: !unset
  container.side.mounts["/etc/munge/munge.key"]: !unset
  container.flux-view.volumeMounts[2]: !unset
# are, for a view that is an image, where the user says, and read-only, at a place of their own and where the view expects its software
flux: {container: {image: "view:1", imageVolume: true, pullAlways: true}}
|containers: [!broker {}, !side {}]
  volume.flux-view-image.image: {reference: "view:1", pullPolicy: Always}
  container.demo.mounts["/etc/minicluster/view"]: ${view}
  container.demo.mounts["/opt/software"]: ${software}
  container.side.mounts["/etc/minicluster/view"]: ${view}
  container.side.mounts["/opt/software"]: ${software}
`);
});
