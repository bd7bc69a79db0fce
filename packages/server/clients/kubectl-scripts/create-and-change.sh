kubectl create -f objects.yaml
kubectl create -f objects.yaml
kubectl get all
kubectl get configmaps,secrets,services -o wide
kubectl get configmap settings -o yaml
kubectl get deployment web -o json
kubectl get service web -o yaml
kubectl get secret password -o 'jsonpath={.data.user}'
kubectl get deployments -o 'custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image,NONE:.nothing'
kubectl get configmaps --sort-by=.metadata.name
kubectl get configmaps --field-selector metadata.name=settings
kubectl get configmaps --field-selector data.color=blue
kubectl get configmaps -l 'app in (web)' --show-labels
kubectl get deployments -L app
kubectl get deployments,services -o name
kubectl get nothing
kubectl get pods missing
kubectl get pods
kubectl label configmap settings tier=front
kubectl label configmap settings tier=back
kubectl label configmap settings tier=back --overwrite
kubectl label configmap settings tier-
kubectl label configmap settings 'bad key=x'
kubectl label configmap settings key='bad value'
kubectl annotate configmap settings note=x
kubectl annotate configmap settings note-
kubectl patch configmap settings -p '{"data":{"color":"red"}}'
kubectl patch configmap settings -p '{"data":{"color":"red"}}'
kubectl patch configmap settings --type=merge -p '{"data":{"size":null}}'
kubectl patch configmap settings --type=json -p '[{"op":"add","path":"/data/more","value":"1"}]'
kubectl patch configmap settings --type=json -p '[{"op":"test","path":"/data/more","value":"2"}]'
kubectl patch configmap settings -p '{"data":7}'
kubectl patch deployment web -p '{"spec":{"replicas":-1}}'
kubectl patch deployment web -p '{"spec":{"selector":{"matchLabels":{"app":"other"}}}}'
kubectl patch deployment web --subresource=status -p '{"status":{"replicas":3,"readyReplicas":2,"updatedReplicas":3,"availableReplicas":1}}'
kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":5}}'
kubectl get deployment web --subresource=scale
kubectl get deployment web --subresource=scale -o yaml
kubectl get deployment web --subresource=status -o wide
kubectl replace -f objects.yaml
kubectl replace --force -f objects.yaml
kubectl get configmap settings -o 'jsonpath={.data}'
EDITOR='sed -i s/blue/green/' kubectl edit configmap settings
EDITOR='sed -i s/blue/green/' kubectl edit configmap settings
EDITOR=true kubectl edit configmap settings
kubectl scale deployment web --replicas=2
kubectl scale deployment web --replicas=2 --current-replicas=9
kubectl scale deployment missing --replicas=2
kubectl autoscale deployment web --min=1 --max=4 --cpu-percent=50
kubectl get horizontalpodautoscalers
kubectl describe horizontalpodautoscaler web
kubectl expose deployment web --name=exposed --port=80 --type=NodePort
kubectl get service exposed
kubectl expose deployment web --port=80
kubectl set image deployment/web server=nginx:2
kubectl set image deployment/web nothing=nginx:2
kubectl set env deployment/web COLOR=red
kubectl set env deployment/web --list
kubectl set resources deployment web --limits=cpu=200m
kubectl set serviceaccount deployment web robot
kubectl set selector service web app=other
kubectl rollout status deployment/web --timeout=1s
kubectl rollout history deployment/web
kubectl rollout undo deployment/web
kubectl rollout pause deployment/web
kubectl rollout pause deployment/web
kubectl rollout resume deployment/web
kubectl describe deployment web
kubectl describe service web
kubectl describe configmap settings | sort
kubectl describe secret password
kubectl wait deployment/web --for=condition=Available --timeout=1s
kubectl wait deployment/web '--for=jsonpath={.spec.replicas}=2' --timeout=5s
kubectl wait deployment/missing --for=delete --timeout=5s
kubectl delete -f objects.yaml --dry-run=server
kubectl delete -f objects.yaml
kubectl delete configmap settings
kubectl delete configmap settings --ignore-not-found
kubectl delete services --all
kubectl delete horizontalpodautoscalers -l nothing=here
