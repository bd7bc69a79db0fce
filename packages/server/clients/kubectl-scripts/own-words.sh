kubectl create configmap words --from-literal=a=1 --from-literal=b=2
kubectl create secret generic words --from-literal=a=1
kubectl create secret docker-registry registry --docker-username=me --docker-password=x --docker-server=example.com
kubectl create serviceaccount words
kubectl create deployment words --image=nginx --replicas=2 --port=80
kubectl create service clusterip words --tcp=80:80
kubectl create service nodeport ports --tcp=80:80
kubectl create service externalname far --external-name=example.com
kubectl create service loadbalancer balanced --tcp=80:80
kubectl create job words --image=busybox -- date
kubectl create cronjob words --image=busybox --schedule='*/5 * * * *' -- date
kubectl create cronjob wrong --image=busybox --schedule='never'
kubectl create ingress words --rule='example.com/path*=web:80,tls=cert' --class=nginx
kubectl create role words --verb=get,list --resource=pods,deployments.apps
kubectl create role words-2 --verb=get --resource=nothings
kubectl create rolebinding words --role=words --user=jane --serviceaccount=default:words
kubectl create clusterrole words --verb=get --non-resource-url=/healthz
kubectl create clusterrolebinding words --clusterrole=words --group=g
kubectl create quota words --hard=pods=3,cpu=2
kubectl create poddisruptionbudget words --selector=app=words --min-available=50%
kubectl create priorityclass words --value=10 --description=d
kubectl create namespace words --dry-run=server -o yaml
kubectl create deployment words --image=nginx
kubectl create deployment dry --image=nginx --dry-run=server -o yaml
kubectl get deployment,service,job,cronjob,ingress,role,rolebinding,quota,poddisruptionbudget
kubectl get clusterrole words -o yaml
kubectl get priorityclass words
kubectl get rolebinding words -o wide
kubectl get resourcequota words -o yaml
kubectl get cronjob words -o yaml
kubectl get service far -o yaml
kubectl get poddisruptionbudget words -o yaml
kubectl describe ingress words
kubectl describe role words
kubectl describe quota words
kubectl delete clusterrole,clusterrolebinding,priorityclass words
