/** Searches to paste. They need nothing but the examples. */
export const SEARCHES = [
  '| makeresults count=3 | streamstats count as n | eval message=if(n=1, "disk /var is full on db-3", if(n=2, "payment timed out", "login of guest refused")) | mlchat prompt="Classify this message: {message}" schema="severity:enum(low|high), cause" | table message severity cause',
  '| makeresults count=3 | streamstats count as n | eval cpu=30*n, memory=40+15*n, disk=50+16*n | mlpredict model=outage_risk probabilities=true | table cpu memory disk "predicted(outage)" "probability(yes)"',
  '| makeresults | mltool connection=Desk tool=disk_usage expand=true | table result.host result.mount result.used_percent',
] as const;
