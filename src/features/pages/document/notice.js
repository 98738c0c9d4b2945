(d=>{try{if(localStorage['lectern.notice']==d.currentScript.dataset.notice)d.documentElement.dataset.notice='dismissed'}catch{}})(document)
