import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The MCP connection that is read. */
export const RECORD = 'bench';

/**
 * Makes the driver's two platform calls for a record over one keep-alive connection, then idles.
 * @param pairs how often it makes the two calls
 */
export function callingRuntime(url: string, token: string, pairs: number) {
  const script = `const h=require(${JSON.stringify(url.startsWith('https') ? 'node:https' : 'node:http')});
    const agent=new h.Agent({keepAlive:true,rejectUnauthorized:false});
    const get=(p,next)=>h.get(${JSON.stringify(url)}+p,{agent,headers:{Authorization:'Splunk ${token}'}},r=>{
      let text='';r.on('data',d=>{text+=d});r.on('end',()=>next(JSON.parse(text)))});
    const pairs=left=>get('/services/authentication/current-context?output_mode=json',()=>
      get('/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections/${RECORD}?output_mode=json',record=>
      left>1?pairs(left-1):process.stdout.write(record.name)));
    pairs(${pairs});process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  return {
    done: (async () => {
      const [output] = await once(child.stdout, 'data');
      if (String(output) !== RECORD) throw new Error(`the bare runtime printed ${output}`);
    })(),
    resident: () => residentMiB(child.pid ?? 0),
    end: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Resident memory of a bare runtime without work, in MiB. */
export async function idleRuntime(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e6)'], { stdio: 'ignore' });
  await sleep(300);
  const size = residentMiB(child.pid ?? 0);
  child.kill();
  return size;
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
