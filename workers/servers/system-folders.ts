/** Folders of the machine, for what cannot lie in the project's own `.fermata/`. */

/**
 * Where root keeps what another user must reach when the project lies in a closed folder such as /root. Only root can
 * write to its parent, so nobody can have prepared it for us.
 */
export const SYSTEM_STATE_FOLDER = '/var/lib/fermata';
