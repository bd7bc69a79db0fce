kubectl apply -f cluster-kinds.yaml
kubectl get -f cluster-kinds.yaml
kubectl get -f cluster-kinds.yaml -o wide
kubectl get -f cluster-kinds.yaml -o yaml
kubectl describe -f cluster-kinds.yaml
kubectl cordon node-1
kubectl cordon node-1
kubectl get nodes
kubectl uncordon node-1
kubectl taint nodes node-1 key=value:NoSchedule
kubectl taint nodes node-1 key=other:NoSchedule
kubectl taint nodes node-1 key:NoSchedule-
kubectl taint nodes node-1 key:Wrong
kubectl drain node-1 --timeout=5s
kubectl get nodes --field-selector spec.unschedulable=true
kubectl get nodes node-1 -o 'jsonpath={.spec}'
kubectl api-versions
kubectl api-resources -o wide --sort-by=name
kubectl api-resources --namespaced=false --verbs=list -o name
kubectl auth can-i list pods
kubectl auth can-i list pods --as=nobody
kubectl auth can-i '*' '*'
kubectl auth can-i get nothings
kubectl auth can-i --list | sort -u
kubectl cluster-info
kubectl top pods
kubectl top nodes
kubectl get --raw /healthz
kubectl get --raw /readyz
kubectl get --raw /nothing
kubectl get namespaces
kubectl get namespace default -o yaml
kubectl describe namespace default
kubectl get prioritylevelconfigurations
kubectl get priorityclasses
kubectl get service kubernetes -n default -o wide
kubectl get crds
kubectl get pods -A
kubectl get pods -n missing
kubectl create configmap x -n missing
kubectl create -f signing-request.yaml
kubectl get csr
kubectl certificate approve jane
kubectl get csr jane
kubectl describe csr jane
kubectl certificate deny jane
kubectl delete csr jane --wait=false
kubectl delete -f cluster-kinds.yaml --wait=false
