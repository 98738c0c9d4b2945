(d=>{
const ready=new Set,rootOf=t=>t.closest('[data-lazy]')||d
let tapped,failed
const release=()=>{const t=tapped;if(t)t.ariaBusy=tapped=null;return t}
const reload=()=>fetch(location,{method:'HEAD'}).then(()=>location.reload(),()=>{
release()
const p=d.createElement('p')
p.className='load-failed';p.role='alert';p.textContent='The page could not be loaded completely. Please try again.'
d.body.append(p);setTimeout(()=>p.remove(),8e3)
})
const fail=()=>{failed=1;if(tapped)reload()}
d.addEventListener('click',e=>{
const t=e.target.closest('#root button[type=button]')
if(!t||ready.has(rootOf(t)))return
release();tapped=t;t.ariaBusy=true
if(failed)reload()
},true)
d.addEventListener('lectern:ready',e=>{ready.add(e.target);if(tapped&&ready.has(rootOf(tapped)))release().click()})
d.addEventListener('lectern:failed',fail)
addEventListener('error',e=>e.target.localName=='script'&&fail(),true)
})(document)
