import { readdirSync, readFileSync } from 'node:fs';
import { compareDrift } from './src/images/decoding/drift-comparison.ts';
const set=process.argv[2]!; const only=process.argv[3]?new RegExp(process.argv[3]):/./;
const by:Record<string,any[]>={};
for (const r of readdirSync(`/tmp/hD/pairs/${set}`)) { const d=`/tmp/hD/pairs/${set}/${r}/`; const photo=readFileSync(d+'photo.jpg');
 for (const f of readdirSync(d).filter(f=>f!=='photo.jpg'&&only.test(f))) { const t=performance.now(); const {measures:m,flags,boxes}=await compareDrift(readFileSync(d+f),{photo,pad:null}); (by[f.slice(3,-4)]??=[]).push({r:r.slice(0,14),m,flags,b:boxes.length,ms:performance.now()-t}); } }
for (const [k,l] of Object.entries(by)) { console.log(`\n${k} n=${l.length}`); for (const q of ['melted','surface','floor']) console.log('  ',q.padEnd(8), l.map(x=>x.m[q]).sort((a,b)=>a-b).map(v=>v.toFixed(3)).join(' '));
 const c:Record<string,number>={}; for(const x of l) for(const g of x.flags) c[g]=(c[g]??0)+1; console.log('   flags',JSON.stringify(c),'any',l.filter(x=>x.flags.length).length,'boxes>0',l.filter(x=>x.b>0).length,'p50',l.map(x=>x.ms).sort((a,b)=>a-b)[l.length>>1]!.toFixed(0)); }
