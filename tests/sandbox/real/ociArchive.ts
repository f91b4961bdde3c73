import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A container image: a name, and the tar files of its layers from the bottom up. */
export interface Image {
  name: string;
  layers: string[];
  /** What runs where a container names no command. */
  entrypoint?: string[];
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
};

const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };

/** Writes images to an OCI archive, which appears complete or not at all. What images share is in it once. */
export async function writeArchive(images: Image[], archive: string): Promise<void> {
  await inDirectory(async (directory) => {
    fs.mkdirSync(path.join(directory, "blobs/sha256"), { recursive: true });
    const manifests = [];
    for (const image of images) manifests.push(await addImage(directory, image));
    await finish(directory, manifests, archive);
  });
}

/** Writes an archive again under another name of its one image. */
export async function renameArchive(archive: string, name: string, renamed: string): Promise<void> {
  await inDirectory(async (directory) => {
    await run("tar", ["-xf", archive, "-C", directory]);
    const index = path.join(directory, "index.json");
    if (!fs.existsSync(index)) throw new Error(`${archive} is no OCI archive: it holds no index.json`);
    const { manifests } = JSON.parse(fs.readFileSync(index, "utf8")) as { manifests: Descriptor[] };
    if (manifests.length !== 1) throw new Error(`${archive} holds ${manifests.length} images; one is needed`);
    await finish(
      directory,
      manifests.map((manifest) => named(manifest, name)),
      renamed,
    );
  });
}

async function addImage(directory: string, { name, layers, entrypoint }: Image) {
  const added: Descriptor[] = [];
  for (const layer of layers) added.push(await addFile(directory, layer));
  const config = addText(directory, mediaTypes.config, {
    architecture: architectures[os.arch()],
    os: "linux",
    config: { Entrypoint: entrypoint, Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"] },
    rootfs: { type: "layers", diff_ids: added.map(({ digest }) => digest) },
  });
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: added };
  return named(addText(directory, mediaTypes.manifest, manifest), name);
}

const named = (descriptor: Descriptor, name: string) => ({
  ...descriptor,
  annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name.replace(/.*:/, "") },
});

async function finish(directory: string, manifests: object[], archive: string): Promise<void> {
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests };
  fs.writeFileSync(path.join(directory, "index.json"), JSON.stringify(index));
  fs.writeFileSync(path.join(directory, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const unfinished = `${archive}.${process.pid}`;
  await run("tar", ["-cf", unfinished, "-C", directory, "oci-layout", "index.json", "blobs"]);
  fs.renameSync(unfinished, archive);
}

async function addFile(directory: string, file: string): Promise<Descriptor> {
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(file), hash);
  const digest = hash.digest("hex");
  fs.copyFileSync(file, path.join(directory, "blobs/sha256", digest));
  return { mediaType: mediaTypes.layer, digest: `sha256:${digest}`, size: fs.statSync(file).size };
}

function addText(directory: string, mediaType: string, value: object): Descriptor {
  const text = JSON.stringify(value);
  const digest = createHash("sha256").update(text).digest("hex");
  fs.writeFileSync(path.join(directory, "blobs/sha256", digest), text);
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}

/** Gives `work` a directory that is gone afterwards. */
export async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "minicluster-image-"));
  try {
    await work(directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
