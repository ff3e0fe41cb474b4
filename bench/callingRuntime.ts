import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { residentMiB } from './resident.ts';

/** The record that is read: an MCP connection. */
export const RECORD = 'bench';

/**
 * A bare runtime that makes the two calls to the platform that the driver makes for a record, over one kept connection, and then stays.
 * @param pairs how often it makes them
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
      const [said] = await once(child.stdout, 'data');
      if (String(said) !== RECORD) throw new Error(`the bare runtime said ${said}`);
    })(),
    resident: () => residentMiB(child.pid ?? 0),
    end: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
