/** Annotation of the patch of a lead broker's Job with the hosts of each group, which an update compares with the former value. */
export const groupsAnnotation = "minicluster/groups";

/** Name of the Job of a group of workers, and the stem of its host names. */
export const groupJobName = ({ name }: { name: string }, group: string) => `${name}-${group}`;
