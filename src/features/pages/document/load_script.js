(d=>{
const{src}=d.currentScript.dataset
const start=()=>{if(!s.src){s.src=src;d.head.append(s)}}
const s=d.createElement('script')
s.type='module';s.crossOrigin='';s.fetchPriority='low'
d.addEventListener('DOMContentLoaded',()=>{
if(d.hidden)return start()
new PerformanceObserver(paints=>{
if(paints.getEntriesByName('first-contentful-paint')[0])start()
}).observe({type:'paint',buffered:true})
setTimeout(start,1e3)
})
})(document)
