/** Exit status of a container that was told to leave: 128 + 15, as of a program that SIGTERM has ended. */
export const leftStatus = 143;
