(d=>{
if(d.cookie.split('; ').includes('lectern_signed_in=1'))d.documentElement.dataset.signedIn=''
const isOtherPage=new URL(d.referrer||location).pathname!=location.pathname
const ready=new Set,rootOf=t=>t.closest('[data-lazy]')||d
const buttons=t=>[...d.querySelectorAll('#root button[type=button],#root a[aria-expanded]')].filter(b=>nameOf(b)==nameOf(t))
const nameOf=t=>t.ariaLabel||t.textContent
let clicked,chosen,failed,reloaded,part,pressed
const release=()=>{const t=clicked;if(t)t.ariaBusy=clicked=null;return t}
const currentUrl=()=>{
const u=new URL(location),q=u.searchParams,now=chosen&&q.get(chosen.name)||''
if(!chosen?.isConnected||chosen.value==now)chosen=null
else if(chosen.value)q.set(chosen.name,chosen.value)
else q.delete(chosen.name)
return chosen?u.href:location.href
}
const showFailure=()=>{
release();reloaded=0
if(chosen)chosen.value=new URL(location).searchParams.get(chosen.name)||''
const p=d.createElement('p')
p.className='load-failed';p.role='alert';p.textContent='The page could not be loaded completely. Please try again.'
d.body.append(p);setTimeout(()=>p.remove(),8e3)
}
const reload=()=>{
currentUrl()
if(reloaded&&!chosen)return showFailure()
const t=clicked
fetch(location,{method:'HEAD'}).then(()=>{
const u=currentUrl()
if(t||chosen)try{sessionStorage.afterReload=JSON.stringify(t?[u,nameOf(t),buttons(t).indexOf(t)]:[u,chosen.id])}catch{}
if(chosen)location.replace(u)
else location.reload()
},showFailure)
}
const fail=()=>{failed=1;d.documentElement.dataset.failed='';setTimeout(()=>{currentUrl();if(clicked||chosen)reload()})}
const deferClick=t=>{release();clicked=t;t.ariaBusy=true;if(failed)reload()}
d.addEventListener('mousedown',e=>{if(e.detail<2)pressed=1},true)
d.addEventListener('click',e=>{
if(e.detail>1&&!pressed&&isOtherPage){e.preventDefault();e.stopPropagation();return}
const t=e.target.closest('#root button[type=button]')
if(t&&!ready.has(rootOf(t)))deferClick(t)
},true)
d.addEventListener('change',e=>{
if(!e.target.matches('#root select[name]'))return
chosen=e.target
if(failed){e.stopPropagation();fail()}
},true)
const restore=()=>{
if(part?.[0]!=location.href)return part=null
const[,name,index]=part,isPart=index==null,t=isPart?d.getElementById(name):buttons({ariaLabel:name})[index]
if(!t)return
part=null
if(t.tabIndex<0)t.tabIndex=-1
t.focus({preventScroll:true})
if(isPart)return
if(ready.has(rootOf(t)))t.click()
else{reloaded=1;deferClick(t)}
}
d.addEventListener('DOMContentLoaded',()=>{try{
part=JSON.parse(sessionStorage.afterReload)
delete sessionStorage.afterReload
restore()
}catch{}})
d.addEventListener('lectern:ready',e=>{failed=0;delete d.documentElement.dataset.failed;ready.add(e.target);if(clicked&&ready.has(rootOf(clicked)))release().click();restore()})
d.addEventListener('lectern:failed',fail)
addEventListener('error',e=>e.target.type=='module'&&fail(),true)
})(document)
