// Launcher of the search command mlhealth; all of it stands below lib/.
await import('./lib/mlHealth.mjs');
