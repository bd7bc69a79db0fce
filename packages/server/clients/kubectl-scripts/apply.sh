kubectl apply -f objects.yaml --dry-run=server
kubectl diff -f objects.yaml
kubectl apply -f objects.yaml
kubectl apply -f objects.yaml
kubectl diff -f objects.yaml
sed -e s/nginx:1/nginx:2/ -e 's/replicas: 3/replicas: 1/' -e 's/, size: .7.//' objects.yaml | kubectl diff -f -
sed -e s/nginx:1/nginx:2/ -e 's/replicas: 3/replicas: 1/' -e 's/, size: .7.//' objects.yaml | kubectl apply -f -
sed -e s/nginx:1/nginx:2/ -e 's/replicas: 3/replicas: 1/' -e 's/, size: .7.//' objects.yaml | kubectl apply -f - --dry-run=server -o yaml
sed -e 's/image: nginx:1/imag: nginx:1/' objects.yaml | kubectl apply -f -
sed -e 's/containerPort: 80/containerPort: 800000/' objects.yaml | kubectl apply -f -
kubectl apply view-last-applied configmap settings
kubectl apply set-last-applied -f objects.yaml
kubectl get deployment web -o yaml
kubectl get configmap settings -o yaml
sed -n '1,/^---/p' objects.yaml | kubectl apply -f - --prune -l app=web --prune-allowlist=core/v1/ConfigMap
kubectl delete -f objects.yaml
