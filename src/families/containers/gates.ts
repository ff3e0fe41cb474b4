/** Who may read connections; the inventory of connections shows them to nobody else. */
export const READ_CONNECTIONS = { any: ['list_container_connections', 'edit_container_connections'] } as const;
/** Who may change and test them. */
export const EDIT_CONNECTIONS = { gate: { all: ['edit_container_connections'] }, flag: 'containers' } as const;
/** Who may see which containers run. */
export const READ_CONTAINERS = { any: ['list_containers', 'control_containers'] } as const;
