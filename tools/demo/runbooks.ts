/** Texts of the knowledge base of the demo, by the ids of its documents. */
export const RUNBOOKS: Readonly<Record<string, string>> = {
  'disk-full.md': `# Disk full
When a disk is full, empty the spool directory /var/spool first. Then find what fills the disk, and enlarge the volume if nothing can be deleted.`,
  'slow-service.md': `# Slow service
When a service answers slowly, look at its database connections. If it hangs, restart it: requests under way are lost.`,
  'expired-certificate.md': `# Expired certificate
When a certificate has expired, request a new one and reload the proxy. No restart is needed.`,
  'memory-leak.md': `# Memory leak
When the memory of a process rises steadily, take a heap dump before you restart it.`,
  'login-failures.md': `# Login failures
When many logins fail, check whether they come from one address, and block it at the proxy.`,
};
