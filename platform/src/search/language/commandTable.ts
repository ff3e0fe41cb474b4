/** How a command takes part in a search, as the parser reports it. */
export type CommandKind = 'generating' | 'streaming' | 'stateful' | 'events' | 'report';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Commands that begin a search. */
const GENERATING =
  words(`datamodel dbinspect eventcount from gentimes history inputcsv inputlookup loadjob makeresults mcatalog
  metadata metasearch mpreview msearch mstats multisearch pivot rest savedsearch macro savedsplunk search searchtxn tstats
  typeahead union walklex`);
/** Commands that see one row at a time. */
const STREAMING =
  words(`abstract addinfo addtotals bin bucket bucketdir cofilter convert discretize eval excerpt extract
  fieldformat fields fillnull foreach fromjson gauge geom geomfilter highlight hilite iconify iplocation kv kvform lookup
  makejson makemv multikv mvexpand nokv nomv outputtext rangemap regex reltime rename replace require return rex rtorder
  scrub setfields spath strcat tags tojson typer where xmlkv xmlunescape xpath`);
/** Commands that remember earlier rows. */
const STATEFUL = words(`accum autoregress concurrency dedup delta filldown head localop streamstats trendline`);
/** Commands that need all rows and leave events. */
const EVENTS = words(`anomalies anomalousvalue anomalydetection arules associate cluster slc collapse collect stash
  summaryindex sumindex correlate delete diff dump eventstats findkeywords findtypes folderize ingestpreview kmeans
  localize map mvcombine noop outlier outlierfilter outputcsv outputlookup outputraw overlap predict prjob redistribute
  reverse run runshellscript script selfjoin sendalert sendemail showargs sort surrounding tail transaction transam
  tscollect typelearner uniq append appendpipe join mcollect meventcollect mrollup createrss debug editinfo oldreturn
  rawstats erex`);
/** Commands that make other rows. */
const REPORT =
  words(`addcoltotals af analyzefields appendcols ar chart common contingency counttable ctable fieldsummary
  format geostats makecontinuous maketable rare set sichart sirare sistats sitimechart sitop stats table timechart
  timewrap top transpose untable x11 xyseries`);

const KINDS = new Map<string, CommandKind>([
  ...STREAMING.map((name): [string, CommandKind] => [name, 'streaming']),
  ...STATEFUL.map((name): [string, CommandKind] => [name, 'stateful']),
  ...EVENTS.map((name): [string, CommandKind] => [name, 'events']),
  ...REPORT.map((name): [string, CommandKind] => [name, 'report']),
  ...GENERATING.map((name): [string, CommandKind] => [name, 'generating']),
]);

/** The kind of a command of splunkd 10.2; undefined for any other name. */
export function commandKind(name: string): CommandKind | undefined {
  return KINDS.get(name);
}

/** Generating commands that can also stand later in a search. */
const ALSO_LATER = new Set(['search', 'union', 'inputcsv', 'inputlookup']);

export function mustBeFirst(name: string): boolean {
  return KINDS.get(name) === 'generating' && !ALSO_LATER.has(name);
}

/** Capabilities without which splunkd refuses a command. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  collect: 'run_collect',
  stash: 'run_collect',
  summaryindex: 'run_collect',
  sumindex: 'run_collect',
  debug: 'run_debug_commands',
  delete: 'delete_by_keyword',
  dump: 'run_dump',
  inputcsv: 'input_file',
  inputlookup: 'input_file',
  mcollect: 'run_mcollect',
  meventcollect: 'run_mcollect',
  mpreview: 'run_msearch',
  msearch: 'run_msearch',
  outputcsv: 'output_file',
  outputlookup: 'output_file',
  sendalert: 'run_sendalert',
  typeahead: 'get_typeahead',
};

export function commandCapability(name: string): string | undefined {
  return Object.hasOwn(CAPABILITIES, name) ? CAPABILITIES[name] : undefined;
}
