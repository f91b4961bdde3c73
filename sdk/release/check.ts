import { type Address, placeholder } from "../generator/address";

/** The parts of a release that can be checked before anything is built. */
export interface Release {
  /** Tag of the commit, such as "v1.2.3". */
  tag: string;
  /** Version in package.json. */
  version: string;
  address: Pick<Address, "owner">;
  changelog: string;
}

/** Every problem that prevents a release, one sentence each, with what to change. */
export function releaseProblems({ tag, version, address, changelog }: Release): string[] {
  const heading = sectionOf(changelog, version)?.heading ?? "";
  return [
    ...(tag === `v${version}`
      ? []
      : [`the tag ${tag} is not v${version}, the version in package.json; correct one of them`]),
    ...(address.owner === placeholder
      ? [`repository in package.json has no owner yet; run: npm run address -- https://github.com/<owner>/<name>`]
      : []),
    ...(/, \d{4}-\d{2}-\d{2}$/.test(heading)
      ? []
      : [`CHANGELOG.md has no section "## ${version}, <date>" for this version; give it one, or its date`]),
  ];
}

/** The changes of a version, for the notes of its release. */
export function releaseNotes(changelog: string, version: string): string {
  const section = sectionOf(changelog, version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}`);
  return `${section.text.trim()}\n`;
}

function sectionOf(changelog: string, version: string): { heading: string; text: string } | undefined {
  const section = changelog
    .split(/^## /m)
    .find((each) => each.startsWith(`${version},`) || each.startsWith(`${version}\n`));
  if (section === undefined) return undefined;
  const end = section.indexOf("\n");
  return { heading: section.slice(0, end), text: section.slice(end + 1) };
}
