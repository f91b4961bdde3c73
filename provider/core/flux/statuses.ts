import contract from "../contract.json";

/** Exit status of a container that a signal has ended: 128 + 15, as of a program that SIGTERM has ended. */
export const leftStatus = contract.exitStatuses.left;

/**
 * Exit statuses of containers that did not end by themselves: that could not be started (128), that were killed (137), or that
 * were lost when their node was started again (255).
 */
export const killedStatuses = [128, 137, 255];
