package main

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	resourcev1 "k8s.io/api/resource/v1"
)

// By the names of their schemas. PodSpec stands here by itself: below three other structs little of it would be filled.
var kinds = []struct {
	name   string
	object any
}{
	{"core/v1.PodSpec", corev1.PodSpec{}},
	{"core/v1.Pod", corev1.Pod{}},
	{"core/v1.ConfigMap", corev1.ConfigMap{}},
	{"core/v1.Service", corev1.Service{}},
	{"core/v1.Node", corev1.Node{}},
	{"core/v1.ServiceAccount", corev1.ServiceAccount{}},
	{"apps/v1.Deployment", appsv1.Deployment{}},
	{"apps/v1.ControllerRevision", appsv1.ControllerRevision{}},
	{"batch/v1.JobStatus", batchv1.JobStatus{}},
	{"networking/v1.Ingress", networkingv1.Ingress{}},
	{"resource/v1.ResourceClaim", resourcev1.ResourceClaim{}},
	{"admissionregistration/v1.ValidatingWebhookConfiguration", admissionregistrationv1.ValidatingWebhookConfiguration{}},
}
