package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// The modules that publish the types, and where their packages of types are.
var moduleRoots = []string{
	"k8s.io/api",
	"k8s.io/apimachinery",
	"k8s.io/apiextensions-apiserver",
	"k8s.io/kube-aggregator",
}

// sources finds and parses the packages of the pinned modules, each once.
type sources struct {
	dirs     map[string]string // module -> folder
	versions map[string]string // module -> version
	packages map[string]*goPackage
}

// goPackage is one parsed package: its types and constants, with their comments.
type goPackage struct {
	path   string
	types  map[string]*goType
	consts []goConst
	tags   []string // the markers of the package itself (doc.go)
}

type goType struct {
	pkg     *goPackage
	name    string
	spec    *ast.TypeSpec
	file    *ast.File
	markers []string
}

type goConst struct {
	name     string
	typeName string
	file     *ast.File
	expr     ast.Expr // a literal, or the name of another constant
}

func openSources() (*sources, error) {
	s := &sources{dirs: map[string]string{}, versions: map[string]string{}, packages: map[string]*goPackage{}}
	for _, module := range moduleRoots {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", module).Output()
		if err != nil {
			return nil, fmt.Errorf("%s is not in the module cache, run `go mod download`: %w", module, err)
		}
		parts := strings.Fields(string(out))
		if len(parts) != 2 {
			return nil, fmt.Errorf("%s has no folder, run `go mod download`: %s", module, out)
		}
		s.dirs[module], s.versions[module] = parts[0], parts[1]
	}
	return s, nil
}

// load parses the package with this import path.
func (s *sources) load(importPath string) (*goPackage, error) {
	if known, ok := s.packages[importPath]; ok {
		return known, nil
	}
	dir, err := s.dirOf(importPath)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no Go files", dir)
	}
	sort.Strings(files)
	pkg := &goPackage{path: importPath, types: map[string]*goType{}}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		pkg.add(fset, file)
	}
	s.packages[importPath] = pkg
	return pkg, nil
}

func (s *sources) dirOf(importPath string) (string, error) {
	for module, dir := range s.dirs {
		if rest, ok := strings.CutPrefix(importPath, module+"/"); ok {
			return filepath.Join(dir, rest), nil
		}
	}
	return "", fmt.Errorf("%s is in none of the pinned modules", importPath)
}

// groups maps group and version to the import path of their package.
func (s *sources) groups() (map[string]string, error) {
	found := map[string]string{}
	patterns := []struct{ module, pattern string }{
		{"k8s.io/api", "*/v[0-9]*"},
		{"k8s.io/apiextensions-apiserver", "pkg/apis/*/v[0-9]*"},
		{"k8s.io/kube-aggregator", "pkg/apis/*/v[0-9]*"},
	}
	for _, p := range patterns {
		dirs, err := filepath.Glob(filepath.Join(s.dirs[p.module], p.pattern))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if strings.Contains(dir, "testdata") {
				continue
			}
			rest, _ := filepath.Rel(s.dirs[p.module], dir)
			importPath := path.Join(p.module, filepath.ToSlash(rest))
			pkg, err := s.load(importPath)
			if err != nil {
				return nil, err
			}
			group, ok := s.groupName(pkg)
			if !ok {
				continue
			}
			found[group+"/"+path.Base(importPath)] = importPath
		}
	}
	return found, nil
}

func (p *goPackage) add(fset *token.FileSet, file *ast.File) {
	for _, group := range file.Comments {
		if group.End() < file.Package {
			p.tags = append(p.tags, markersOf(group)...)
		}
	}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		switch gen.Tok {
		case token.TYPE:
			for _, spec := range gen.Specs {
				typeSpec := spec.(*ast.TypeSpec)
				doc := typeSpec.Doc
				if doc == nil {
					doc = gen.Doc
				}
				markers := append(markersOf(before(fset, file, doc)), markersOf(doc)...)
				p.types[typeSpec.Name.Name] = &goType{pkg: p, name: typeSpec.Name.Name, spec: typeSpec, file: file, markers: markers}
			}
		case token.CONST:
			p.addConsts(file, gen)
		}
	}
}

func (p *goPackage) addConsts(file *ast.File, gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		value := spec.(*ast.ValueSpec)
		for at, name := range value.Names {
			if at >= len(value.Values) {
				continue
			}
			typeName := ""
			if ident, ok := value.Type.(*ast.Ident); ok {
				typeName = ident.Name
			}
			expr := value.Values[at]
			if call, ok := expr.(*ast.CallExpr); ok && len(call.Args) == 1 { // Name = Type("value")
				if ident, ok := call.Fun.(*ast.Ident); ok {
					typeName, expr = ident.Name, call.Args[0]
				}
			}
			p.consts = append(p.consts, goConst{name: name.Name, typeName: typeName, file: file, expr: expr})
		}
	}
}

// constant is the literal that a constant of a package stands for; empty when it is an expression.
func (s *sources) constant(p *goPackage, c goConst) string {
	switch e := c.expr.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident, *ast.SelectorExpr:
		importPath, name, err := nameOf(c.file, p, e)
		if err != nil {
			return ""
		}
		home, err := s.load(importPath)
		if err != nil {
			return ""
		}
		for _, other := range home.consts {
			if other.name == name {
				return s.constant(home, other)
			}
		}
	}
	return ""
}

// before is the comment that a blank line separates from the doc comment: Kubernetes writes markers there, too.
func before(fset *token.FileSet, file *ast.File, doc *ast.CommentGroup) *ast.CommentGroup {
	if doc == nil {
		return nil
	}
	line := fset.Position(doc.Pos()).Line
	for _, group := range file.Comments {
		if fset.Position(group.End()).Line == line-2 {
			return group
		}
	}
	return nil
}

func (s *sources) groupName(p *goPackage) (string, bool) {
	for _, c := range p.consts {
		if c.name == "GroupName" {
			name, err := strconv.Unquote(s.constant(p, c))
			return name, err == nil
		}
	}
	return "", false
}
