/** Exit status of a container that was told to leave, as that of a program that SIGTERM has ended: 128 + 15. */
export const leftStatus = 143;
