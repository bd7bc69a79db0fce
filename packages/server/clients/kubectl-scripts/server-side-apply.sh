kubectl apply --server-side -f objects.yaml --dry-run=server
kubectl apply --server-side -f objects.yaml
kubectl apply --server-side -f objects.yaml
kubectl diff --server-side -f objects.yaml
kubectl get -f objects.yaml -o yaml --show-managed-fields
kubectl get deployment web -o yaml
sed -e 's/replicas: 3/replicas: 1/' objects.yaml | kubectl apply --server-side -f - --field-manager=other
sed -e 's/replicas: 3/replicas: 1/' objects.yaml | kubectl diff --server-side -f - --field-manager=other --force-conflicts
sed -e 's/replicas: 3/replicas: 1/' objects.yaml | kubectl apply --server-side -f - --field-manager=other --force-conflicts
kubectl get deployment web -o yaml --show-managed-fields
kubectl scale deployment web --replicas=2
kubectl label configmap settings extra=yes
kubectl annotate configmap settings note=here --field-manager=noter
kubectl patch configmap settings -p '{"data":{"patched":"1"}}'
kubectl get configmap settings -o yaml --show-managed-fields
kubectl apply --server-side -f objects.yaml
kubectl apply --server-side -f objects.yaml --force-conflicts
sed -e 's/image: nginx:1/imag: nginx:1/' objects.yaml | kubectl apply --server-side -f -
kubectl delete -f objects.yaml
kubectl apply -f objects.yaml
kubectl apply --server-side -f objects.yaml
kubectl apply -f objects.yaml
kubectl get deployment web -o yaml --show-managed-fields
kubectl apply view-last-applied configmap settings
kubectl delete -f objects.yaml
