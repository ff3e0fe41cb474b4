/** Who may read connections; the inventory of connections shows them to nobody else. */
export const READ_CONNECTIONS = { any: ['list_container_connections', 'edit_container_connections'] } as const;
