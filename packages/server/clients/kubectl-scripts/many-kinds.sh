kubectl apply -f many-kinds.yaml
kubectl get -f many-kinds.yaml
kubectl get -f many-kinds.yaml -o wide
kubectl get -f many-kinds.yaml -o yaml
kubectl describe -f many-kinds.yaml
kubectl get pods -o wide --show-labels
kubectl get pods --field-selector status.phase=Pending,spec.nodeName=
kubectl get pods --field-selector spec.wrong=1
kubectl scale statefulset/db replicaset/set replicationcontroller/old --replicas=3
kubectl get statefulset,replicaset,replicationcontroller
kubectl create job manual --from=cronjob/nightly
kubectl get jobs
kubectl rollout status statefulset/db --timeout=1s
kubectl rollout status daemonset/agent --timeout=1s
kubectl rollout history statefulset/db
kubectl rollout restart daemonset/agent
kubectl rollout history daemonset/agent
kubectl set image daemonset/agent agent=agent:2
kubectl run tmp --image=busybox --labels=a=b --env=X=1 --restart=Never -- sleep 100
kubectl run tmp --image=busybox
kubectl run 'Bad_Name' --image=busybox
kubectl get pod tmp -o yaml
kubectl patch pod tmp -p '{"spec":{"containers":[{"name":"tmp","command":["x"]}]}}' 2>&1 | head -n 1
kubectl set image pod/tmp tmp=busybox:2
kubectl logs tmp
kubectl exec tmp -- true
kubectl expose pod tmp --port=80
kubectl describe pod tmp
kubectl delete pod tmp --now --wait=false
kubectl delete pod one --grace-period=0 --force --wait=false
kubectl create token robot --duration=1h | tr -dc .
kubectl create token missing
kubectl create token robot --duration=1s
kubectl events --types=Normal
kubectl get events --field-selector type=Normal
kubectl delete -f many-kinds.yaml --ignore-not-found --wait=false
