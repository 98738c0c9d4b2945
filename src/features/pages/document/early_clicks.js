(d=>{
const ready=new Set,rootOf=t=>t.closest('[data-lazy]')||d
const buttons=t=>[...d.querySelectorAll('#root button[type=button]')].filter(b=>nameOf(b)==nameOf(t))
const nameOf=t=>t.ariaLabel||t.textContent
let clicked,chosen,failed,reloaded
const release=()=>{const t=clicked;if(t)t.ariaBusy=clicked=null;return t}
const say=()=>{
release();reloaded=0
const p=d.createElement('p')
p.className='load-failed';p.role='alert';p.textContent='The page could not be loaded completely. Please try again.'
d.body.append(p);setTimeout(()=>p.remove(),8e3)
}
const reload=()=>{
if(reloaded)return say()
const t=clicked
fetch(location,{method:'HEAD'}).then(()=>{
if(t)try{sessionStorage.afterReload=JSON.stringify([location.href,nameOf(t),buttons(t).indexOf(t)])}catch{}
location.reload()
},say)
}
const fail=()=>{failed=1;d.documentElement.dataset.failed='';setTimeout(()=>{if(clicked||chosen)reload()})}
const hold=t=>{release();clicked=t;t.ariaBusy=true;if(failed)reload()}
d.addEventListener('click',e=>{
const t=e.target.closest('#root button[type=button]')
if(t&&!ready.has(rootOf(t)))hold(t)
},true)
d.addEventListener('change',e=>{if(e.target.matches('#root select')){chosen=1;if(failed)fail()}})
d.addEventListener('DOMContentLoaded',()=>{try{
const[url,name,index]=JSON.parse(sessionStorage.afterReload)
delete sessionStorage.afterReload
const isSection=index==null,t=isSection?d.getElementById(name):buttons({ariaLabel:name})[index]
if(!t||url!=location.href)return
if(isSection)t.tabIndex=-1
t.focus({preventScroll:true})
if(isSection)return
if(ready.has(rootOf(t)))t.click()
else{reloaded=1;hold(t)}
}catch{}})
d.addEventListener('lectern:ready',e=>{delete d.documentElement.dataset.failed;ready.add(e.target);if(clicked&&ready.has(rootOf(clicked)))release().click()})
d.addEventListener('lectern:failed',fail)
addEventListener('error',e=>e.target.type=='module'&&fail(),true)
})(document)
