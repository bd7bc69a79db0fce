kubectl get websites
kubectl apply -f website.yaml
kubectl apply --server-side -f website-crd.yaml
kubectl wait --for=condition=Established --timeout=30s crd/websites.example.com
kubectl wait --for=condition=NamesAccepted --timeout=30s crd/websites.example.com
for i in $(seq 100); do kubectl explain website >/dev/null 2>&1 && break; sleep 0.3; done
kubectl get crd websites.example.com
kubectl get crd websites.example.com -o yaml --show-managed-fields
kubectl describe crd websites.example.com
kubectl get apiservice v1.example.com -o yaml --show-managed-fields
kubectl api-resources --api-group=example.com -o wide
kubectl explain website
kubectl explain website.spec
kubectl explain website.spec.pages
kubectl explain websites.spec.engine
kubectl explain website --recursive
kubectl explain website.spec.nothing
kubectl explain website.status --api-version=example.com/v1
kubectl apply --server-side -f website.yaml --dry-run=server
kubectl apply --server-side -f website.yaml
kubectl apply --server-side -f website.yaml
kubectl diff --server-side -f website.yaml
kubectl get website shop -o yaml --show-managed-fields
kubectl get websites
kubectl get websites -o wide
kubectl get web -o name
kubectl get sites --show-labels
kubectl get websites --field-selector spec.host=shop.example.com
kubectl get websites --field-selector spec.image=nginx
kubectl get websites -o custom-columns=N:.metadata.name,I:.spec.image
kubectl describe website shop
sed -e 's/replicas: 2/replicas: 3/' -e 's/Start/Home/' website.yaml | kubectl apply --server-side -f - --field-manager=other
sed -e 's/replicas: 2/replicas: 3/' -e 's/Start/Home/' website.yaml | kubectl diff --server-side -f - --field-manager=other --force-conflicts
sed -e 's/replicas: 2/replicas: 3/' -e 's/Start/Home/' website.yaml | kubectl apply --server-side -f - --field-manager=other --force-conflicts
kubectl get website shop -o yaml --show-managed-fields
kubectl apply --server-side -f website.yaml
kubectl scale website shop --replicas=4
kubectl scale website shop --replicas=10
kubectl get website shop --subresource=scale -o yaml
kubectl patch website shop --subresource=status --type=merge -p '{"status":{"replicas":4,"conditions":[{"type":"Ready","status":"True"}]}}'
kubectl wait --for=condition=Ready --timeout=10s website/shop
kubectl wait --for=jsonpath='{.status.replicas}'=4 --timeout=10s website/shop
kubectl get websites -o wide
kubectl get website shop -o yaml --show-managed-fields
kubectl label website shop tier=front
kubectl annotate website shop note=here
kubectl patch website shop -p '{"spec":{"engine":"fast"}}'
kubectl patch website shop --type=merge -p '{"spec":{"engine":"fast"}}'
kubectl patch website shop --type=merge -p '{"spec":{"engine":"big","host":"other"}}'
kubectl patch website shop --type=merge -p '{"spec":{"size":true}}'
kubectl patch website shop --type=json -p '[{"op":"remove","path":"/spec/engine"}]'
sed -e 's/size:/sise:/' website.yaml | kubectl apply --server-side -f -
sed -e 's/replicas: 2/replicas: many/' website.yaml | kubectl apply --server-side --force-conflicts -f -
sed -e 's/\[a, b\]/[a, a]/' website.yaml | kubectl apply --server-side --force-conflicts -f -
sed -e 's/shop/blog/' -e 's/size:/sise:/' website.yaml | kubectl create -f -
sed -e 's/shop/blog/' -e 's/size:/sise:/' website.yaml | kubectl create --validate=warn -f -
sed -e 's/shop/blog/' -e 's/host:.*/host: UPPER/' website.yaml | kubectl create -f -
sed -e 's/shop/blog/' -e 's/replicas: 2/replicas: 12/' website.yaml | kubectl create -f -
sed -e 's/shop/news/' website.yaml | kubectl apply -f -
sed -e 's/shop/news/' website.yaml | kubectl apply -f -
sed -e 's/shop/news/' -e '/title: Cart/d' website.yaml | kubectl apply -f -
sed -e 's/shop/news/' website.yaml | kubectl apply --server-side -f -
kubectl get website news -o yaml --show-managed-fields
kubectl replace -f website.yaml
kubectl autoscale website shop --max=3
kubectl get all
kubectl delete website news --dry-run=server
kubectl delete websites --all
sed -e 's/self.host == oldSelf.host/self.hos == oldSelf.host/' website-crd.yaml | kubectl apply --server-side -f -
sed -e 's/default: 1 }/default: many }/' website-crd.yaml | kubectl apply --server-side -f -
kubectl delete crd websites.example.com
kubectl get crd websites.example.com
