//! Reads Graphviz DOT: the nodes, the edges and their attributes.
//!
//! The whole language is read (subgraphs, edge chains, default attributes, ports, comments, quoted and HTML names):
//! directed graphs by [`read`], undirected ones by [`read_undirected`]. Only nodes, edges and their attributes are
//! kept. Nothing recurses, so neither long chains nor deep nesting can overflow the stack.
//! Source: <https://graphviz.org/doc/info/lang.html>.
//!
//! ```
//! let graph = grundy_core::dot::read("digraph { node [owner=1]; a -> b -> c; b [value=win] }").unwrap();
//! assert_eq!(graph.arrows, [(0, 1), (1, 2)]);
//! assert_eq!(graph.nodes[1].get("value"), Some("win"));
//! assert_eq!(graph.nodes[2].get("owner"), Some("1"));
//! ```

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::words;

/// A directed graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dot {
    /// The nodes in order of first mention.
    pub nodes: Vec<Node>,
    /// The arrows as (tail, head), indices into `nodes`; repeated arrows are kept.
    pub arrows: Vec<(u32, u32)>,
}

/// An undirected graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Undirected {
    /// The nodes in order of first mention.
    pub nodes: Vec<Node>,
    /// The edges in the order of the file.
    pub edges: Vec<Edge>,
}

/// An edge with its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Both ends, as indices into the list of nodes.
    pub ends: (u32, u32),
    attributes: Arc<Attributes>,
}

impl Dot {
    /// Returns a canonical text of the graph for a game that reads `attributes` of its nodes. Two files with the same
    /// text are the same graph to that game. The text is a line `digraph`, then lines in the order of their bytes:
    /// `arrow` with both names, once each, and `node` with the name and the value of each attribute. Names are
    /// [escaped](words::escaped). Fields are separated by tabs; a missing attribute is `-`.
    ///
    /// ```
    /// let graph = grundy_core::dot::read("digraph { b -> a; a [owner=1]; b -> a }").unwrap();
    /// assert_eq!(graph.canonical(&["owner"]), "digraph\narrow\tb\ta\nnode\ta\t1\nnode\tb\t-\n");
    /// ```
    pub fn canonical(&self, attributes: &[&str]) -> String {
        let names: Vec<_> = self.nodes.iter().map(|node| words::escaped(&node.name)).collect();
        let name = |node: u32| &*names[node as usize];
        let mut order: Vec<u32> = (0..self.nodes.len() as u32).collect();
        order.sort_unstable_by_key(|&node| name(node));
        let mut place = vec![0; order.len()];
        order.iter().zip(0u32..).for_each(|(&node, at)| place[node as usize] = at);
        let mut arrows = self.arrows.clone();
        arrows.sort_unstable_by_key(|&(tail, head)| (place[tail as usize], place[head as usize]));
        arrows.dedup();
        let mut text = "digraph\n".to_owned();
        for (tail, head) in arrows {
            ["arrow\t", name(tail), "\t", name(head), "\n"].iter().for_each(|part| text.push_str(part));
        }
        for node in order {
            write_node(name(node), &self.nodes[node as usize], attributes, &mut text);
        }
        text
    }
}

impl Undirected {
    /// Returns a canonical text of the graph for a game that reads `attributes` of nodes and edges: a line `graph`,
    /// then for every node `node`, its name and the value of each attribute, then for every edge `edge`, both names and
    /// the value of each attribute. Nodes and edges stay in the order of the file, in which positions are written.
    /// Fields are separated by tabs; a missing attribute is `-`.
    ///
    /// ```
    /// let graph = grundy_core::dot::read_undirected("graph { b -- a [color=red] }").unwrap();
    /// assert_eq!(graph.canonical(&["color"]), "graph\nnode\tb\t-\nnode\ta\t-\nedge\tb\ta\tred\n");
    /// ```
    pub fn canonical(&self, attributes: &[&str]) -> String {
        let names: Vec<_> = self.nodes.iter().map(|node| words::escaped(&node.name)).collect();
        let name = |node: u32| &*names[node as usize];
        let mut text = "graph\n".to_owned();
        for (name, node) in names.iter().zip(&self.nodes) {
            write_node(name, node, attributes, &mut text);
        }
        for edge in &self.edges {
            let (one, other) = edge.ends;
            ["edge\t", name(one), "\t", name(other)].iter().for_each(|part| text.push_str(part));
            write_attributes(attributes.iter().map(|word| edge.get(word)), &mut text);
        }
        text
    }
}

/// Appends a node with its attributes to a canonical text.
fn write_node(name: &str, node: &Node, attributes: &[&str], text: &mut String) {
    text.push_str("node\t");
    text.push_str(name);
    write_attributes(attributes.iter().map(|word| node.get(word)), text);
}

/// Appends attribute values and a line end to a canonical text.
fn write_attributes<'n>(values: impl Iterator<Item = Option<&'n str>>, text: &mut String) {
    values.for_each(|value| {
        text.push('\t');
        text.push_str(value.unwrap_or("-"));
    });
    text.push('\n');
}

impl Edge {
    /// Returns the value of an attribute; `None` if it is not set, or set to an empty string.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().rfind(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

/// A node with its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The name without its quotes.
    pub name: String,
    /// Defaults of `node [..]` in force where the node is first named; shared by many nodes.
    defaults: Arc<Attributes>,
    attributes: Attributes,
}

/// Names with values; the last entry of a name wins.
type Attributes = Vec<(String, String)>;

impl Node {
    /// Returns the value of an attribute; `None` if it is not set, or set to an empty string (Graphviz writes unset
    /// attributes so).
    pub fn get(&self, name: &str) -> Option<&str> {
        let find = |list: &'_ Attributes| list.iter().rposition(|(n, _)| n == name);
        let value = match find(&self.attributes) {
            Some(at) => Some(&self.attributes[at].1),
            None => find(&self.defaults).map(|at| &self.defaults[at].1),
        };
        value.map(String::as_str).filter(|value| !value.is_empty())
    }
}

/// Reads one directed graph.
///
/// # Errors
/// The number of the line where reading failed, and what was expected there.
pub fn read(text: &str) -> Result<Dot, String> {
    let mut reader = Reader::new(text, None);
    reader.graph()?;
    Ok(reader.dot)
}

/// Reads one undirected graph of at most [`MOST_EDGES`] edges.
///
/// ```
/// let graph = grundy_core::dot::read_undirected("graph { edge [color=red]; a -- b -- c [color=blue]; c -- c }").unwrap();
/// let colours: Vec<_> = graph.edges.iter().map(|edge| (edge.ends, edge.get("color").unwrap())).collect();
/// assert_eq!(colours, [((0, 1), "blue"), ((1, 2), "blue"), ((2, 2), "red")]);
/// ```
///
/// # Errors
/// The number of the line where reading failed, and what was expected there.
pub fn read_undirected(text: &str) -> Result<Undirected, String> {
    let mut reader = Reader::new(text, Some(Vec::new()));
    reader.graph()?;
    let Reader { dot, edges, .. } = reader;
    let ends = dot.arrows.into_iter().zip(edges.unwrap_or_default());
    let edges = ends.map(|(ends, attributes)| Edge { ends, attributes }).collect();
    Ok(Undirected { nodes: dot.nodes, edges })
}

/// Largest number of edges of an undirected graph.
pub const MOST_EDGES: usize = 1_000_000;
/// Maximum number of attributes of edges that are copied.
const MOST_PAIRS: usize = 5_000_000;
/// The most arrows of a directed graph.
const MOST_ARROWS: u64 = 10_000_000;
/// Maximum number of attributes in the lists behind a node or an edge, and of names with a default.
const MOST_ATTRIBUTES: usize = 200;

/// Tokens of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// A name, and whether it is unquoted, so that it may be a keyword.
    Name(String, bool),
    /// One of `{ } [ ] = ; , : +`.
    Sign(char),
    /// `->`.
    Arrow,
    /// `--`.
    Line,
    End,
}

struct Words<'t> {
    rest: &'t str,
    line: usize,
    /// A token that was peeked at and not yet taken.
    next: Option<Word>,
    /// `true` until something was read.
    fresh: bool,
}

impl Words<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line))
    }

    fn take(&mut self) -> Result<Word, String> {
        match self.next.take() {
            Some(word) => Ok(word),
            None => self.read(),
        }
    }

    fn peek(&mut self) -> Result<&Word, String> {
        let word = self.take()?;
        Ok(self.next.insert(word))
    }

    /// Takes the sign if it is next, and reports whether it was.
    fn sign(&mut self, sign: char) -> Result<bool, String> {
        let found = *self.peek()? == Word::Sign(sign);
        if found {
            self.next = None;
        }
        Ok(found)
    }

    fn name(&mut self, what: &str) -> Result<String, String> {
        match self.take()? {
            Word::Name(name, _) => Ok(name),
            _ => self.fail(&format!("expected {what}")),
        }
    }

    fn advance(&mut self, bytes: usize) {
        let (done, rest) = self.rest.split_at(bytes);
        self.line += done.bytes().filter(|&b| b == b'\n').count();
        self.rest = rest;
    }

    /// Skips blanks and comments; a line that starts with `#` is one.
    fn skip(&mut self) -> Result<(), String> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            let line_start = std::mem::take(&mut self.fresh) || self.rest[..blanks].contains('\n');
            self.advance(blanks);
            if self.rest.starts_with("//") || self.rest.starts_with('#') && line_start {
                // The line's end stays, so that the next `#` is at the start of a line again.
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.advance(end + 2),
                    None => return self.fail("a comment does not end, expected */"),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn read(&mut self) -> Result<Word, String> {
        self.skip()?;
        let Some(first) = self.rest.chars().next() else { return Ok(Word::End) };
        match first {
            '{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+' => {
                self.advance(1);
                Ok(Word::Sign(first))
            }
            '"' => self.quoted(),
            '<' => self.html(),
            '-' if self.rest.starts_with("->") => {
                self.advance(2);
                Ok(Word::Arrow)
            }
            '-' if self.rest.starts_with("--") => {
                self.advance(2);
                Ok(Word::Line)
            }
            '-' | '.' | '0'..='9' => self.numeral(),
            _ if in_name(first) => {
                let end = self.rest.find(|c| !in_name(c)).unwrap_or(self.rest.len());
                let name = self.rest[..end].to_string();
                self.advance(end);
                Ok(Word::Name(name, true))
            }
            _ => self.fail(&format!("unexpected {first:?}")),
        }
    }

    /// Reads a number: an optional minus sign, digits, an optional point and digits.
    fn numeral(&mut self) -> Result<Word, String> {
        let minus = usize::from(self.rest.starts_with('-'));
        let mut points = 0;
        let digits = self.rest[minus..].find(|c: char| {
            points += usize::from(c == '.');
            !(c.is_ascii_digit() || c == '.' && points == 1)
        });
        let end = digits.map_or(self.rest.len(), |d| minus + d);
        let numeral = &self.rest[..end];
        if !numeral.bytes().any(|b| b.is_ascii_digit()) {
            return self.fail("expected a number");
        }
        if self.rest[end..].starts_with(|c| in_name(c) || c == '.') {
            return self.fail("a name that starts with a digit needs quotes");
        }
        let word = Word::Name(numeral.to_string(), false);
        self.advance(end);
        Ok(word)
    }

    /// Reads a name in quotes; quoted pieces joined by `+` are one name.
    fn quoted(&mut self) -> Result<Word, String> {
        let mut name = String::new();
        loop {
            self.advance(1);
            loop {
                let Some(stop) = self.rest.find(['"', '\\']) else {
                    return self.fail("a quoted name does not end, expected \"");
                };
                name.push_str(&self.rest[..stop]);
                let escaped = self.rest[stop..].starts_with('\\');
                self.advance(stop);
                if !escaped {
                    break;
                }
                // Only \" and an escaped line end have a meaning; other escapes are left to the renderer.
                let after = self.rest[1..].chars().next();
                match after {
                    Some('"') => name.push('"'),
                    Some('\n') => {}
                    Some('\r') if self.rest[2..].starts_with('\n') => self.advance(1),
                    Some(other) => name.extend(['\\', other]),
                    None => return self.fail("a quoted name does not end, expected \""),
                }
                self.advance(1 + after.map_or(0, char::len_utf8));
            }
            self.advance(1);
            let (rest, line) = (self.rest, self.line);
            self.skip()?;
            if self.rest.starts_with('+') {
                self.advance(1);
                self.skip()?;
                if self.rest.starts_with('"') {
                    continue;
                }
                return self.fail("expected a quoted name after +");
            }
            (self.rest, self.line) = (rest, line);
            return Ok(Word::Name(name, false));
        }
    }

    /// Reads a name in angle brackets, which may hold balanced ones.
    fn html(&mut self) -> Result<Word, String> {
        let mut depth = 0usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let name = self.rest[1..at].to_string();
                self.advance(at + 1);
                return Ok(Word::Name(name, false));
            }
        }
        self.fail("an HTML name does not end, expected >")
    }
}

fn in_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii()
}

/// Reader state of one pair of braces.
#[derive(Default)]
struct Scope {
    /// Defaults of `node [..]` for nodes that are first named here.
    defaults: Arc<Attributes>,
    /// Defaults of `edge [..]` for edges drawn here, in an undirected graph.
    edge_defaults: Arc<Attributes>,
    /// The nodes named here.
    members: Vec<u32>,
    /// The left side of an arrow that leads to this subgraph.
    tails: Option<Vec<u32>>,
    /// The edges of the chain that leads to this subgraph, in an undirected graph.
    chain: Vec<usize>,
}

impl Scope {
    /// Returns the scope of a subgraph of this one.
    fn inner(&self, tails: Option<Vec<u32>>, chain: Vec<usize>) -> Scope {
        let (defaults, edge_defaults) = (self.defaults.clone(), self.edge_defaults.clone());
        Scope { defaults, edge_defaults, members: Vec::new(), tails, chain }
    }
}

struct Reader<'t> {
    words: Words<'t>,
    dot: Dot,
    ids: FxHashMap<String, u32>,
    /// The attributes of each edge; `None` in a directed graph.
    edges: Option<Vec<Arc<Attributes>>>,
    /// Index of the edge between two nodes, the lower first, in a graph that is `strict` and undirected: it has at most
    /// one.
    known: Option<FxHashMap<(u32, u32), usize>>,
    /// The attributes that were copied for edges of their own.
    pairs: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, edges: Option<Vec<Arc<Attributes>>>) -> Reader<'t> {
        let words = Words { rest: text, line: 1, next: None, fresh: true };
        Reader { words, dot: Dot::default(), ids: FxHashMap::default(), edges, known: None, pairs: 0 }
    }

    /// Returns the token that joins two nodes.
    fn join(&self) -> Word {
        if self.edges.is_some() { Word::Line } else { Word::Arrow }
    }

    fn graph(&mut self) -> Result<(), String> {
        let (expected, other) =
            if self.edges.is_some() { ("graph", "digraph") } else { ("digraph", "graph") };
        let mut kind = self.words.name(expected)?;
        if kind.eq_ignore_ascii_case("strict") {
            kind = self.words.name(expected)?;
            self.known = self.edges.is_some().then(FxHashMap::default);
        }
        if kind.eq_ignore_ascii_case(other) {
            let what = if self.edges.is_some() { "a directed" } else { "an undirected" };
            return self.words.fail(&format!("{what} graph, expected {expected}"));
        }
        if !kind.eq_ignore_ascii_case(expected) {
            return self.words.fail(&format!("expected {expected}"));
        }
        if let Word::Name(..) = self.words.peek()? {
            self.words.take()?;
        }
        if !self.words.sign('{')? {
            return self.words.fail("expected {");
        }
        self.body()?;
        match self.words.take()? {
            Word::End => Ok(()),
            _ => self.words.fail("more after the graph's last }, expected the end"),
        }
    }

    /// Reads all statements up to the graph's closing brace; open subgraphs are kept on an explicit stack.
    fn body(&mut self) -> Result<(), String> {
        let mut scopes = vec![Scope::default()];
        while let Some(scope) = scopes.last_mut() {
            match self.words.take()? {
                Word::Sign(';' | ',') => {}
                Word::Sign('}') => {
                    let mut closed = scopes.pop().unwrap_or_default();
                    let Some(outer) = scopes.last_mut() else { return Ok(()) };
                    let join = self.join();
                    if closed.tails.is_none() && *self.words.peek()? != join {
                        // The smaller list is appended to the larger, so that deep nesting does not copy the same nodes
                        // at each level.
                        if outer.members.len() < closed.members.len() {
                            std::mem::swap(&mut outer.members, &mut closed.members);
                        }
                        outer.members.append(&mut closed.members);
                    } else {
                        // None is copied twice, however deep the groups are.
                        closed.members.sort_unstable();
                        closed.members.dedup();
                        outer.members.extend(&closed.members);
                    }
                    if let Some(inner) = self.after_end(outer, closed.tails, closed.members, closed.chain)? {
                        scopes.push(inner);
                    }
                }
                Word::Sign('{') => {
                    let inner = scope.inner(None, Vec::new());
                    scopes.push(inner);
                }
                Word::Name(word, true) if is_keyword(&word, "subgraph") => {
                    let inner = self.subgraph(scope, None, Vec::new())?;
                    scopes.push(inner);
                }
                Word::Name(word, true) if ["node", "edge", "graph"].iter().any(|k| is_keyword(&word, k)) => {
                    let list = self.attributes()?;
                    if is_keyword(&word, "node") {
                        self.add_defaults(&mut scope.defaults, list)?;
                    } else if is_keyword(&word, "edge") && self.edges.is_some() {
                        self.add_defaults(&mut scope.edge_defaults, list)?;
                    }
                }
                Word::Name(name, _) => {
                    if self.words.sign('=')? {
                        self.words.name("a value after =")?;
                        continue;
                    }
                    let node = self.node(scope, name)?;
                    let attributes_of_node = !matches!(self.words.peek()?, Word::Arrow | Word::Line);
                    if attributes_of_node {
                        let list = self.attributes()?;
                        self.dot.nodes[node as usize].attributes.extend(list);
                    } else if let Some(inner) = self.after_end(scope, None, vec![node], Vec::new())? {
                        scopes.push(inner);
                    }
                }
                Word::End => return self.words.fail("the graph does not end, expected }"),
                _ => return self.words.fail("expected a node, an arrow or }"),
            }
        }
        Ok(())
    }

    /// Continues after one end of a chain of edges was read: draws the edge from the previous end, and reads on along
    /// the chain. Stops at a subgraph as the next end, which the caller reads.
    fn after_end(
        &mut self,
        scope: &mut Scope,
        mut tails: Option<Vec<u32>>,
        mut heads: Vec<u32>,
        mut chain: Vec<usize>,
    ) -> Result<Option<Scope>, String> {
        loop {
            heads.sort_unstable();
            heads.dedup();
            if let Some(tails) = tails {
                let before = self.dot.arrows.len();
                if (tails.len() as u64) * (heads.len() as u64) + before as u64 > MOST_ARROWS {
                    return self.words.fail("more than 10,000,000 arrows");
                }
                self.dot
                    .arrows
                    .extend(tails.iter().flat_map(|&tail| heads.iter().map(move |&head| (tail, head))));
                if let Some(edges) = &mut self.edges {
                    if self.dot.arrows.len() > MOST_EDGES {
                        return self.words.fail("more than 1,000,000 edges");
                    }
                    edges.resize(self.dot.arrows.len(), scope.edge_defaults.clone());
                    match &mut self.known {
                        None => chain.extend(before..edges.len()),
                        Some(known) => {
                            let drawn: Vec<(u32, u32)> = self.dot.arrows.drain(before..).collect();
                            for (a, b) in drawn {
                                let new = self.dot.arrows.len();
                                let edge = *known.entry((a.min(b), a.max(b))).or_insert(new);
                                if edge == new {
                                    self.dot.arrows.push((a, b));
                                }
                                chain.push(edge);
                            }
                            edges.truncate(self.dot.arrows.len());
                        }
                    }
                }
            }
            match (self.words.peek()?, self.edges.is_some()) {
                (Word::Arrow, false) | (Word::Line, true) => {}
                (Word::Line, false) => return self.words.fail("-- is for undirected graphs, expected ->"),
                (Word::Arrow, true) => return self.words.fail("-> is for directed graphs, expected --"),
                _ => break,
            }
            self.words.take()?;
            match self.words.take()? {
                Word::Sign('{') => {
                    return Ok(Some(scope.inner(Some(heads), chain)));
                }
                Word::Name(word, true) if is_keyword(&word, "subgraph") => {
                    return self.subgraph(scope, Some(heads), chain).map(Some);
                }
                Word::Name(name, _) => {
                    let node = self.node(scope, name)?;
                    tails = Some(std::mem::replace(&mut heads, vec![node]));
                }
                _ => {
                    let join = if self.edges.is_some() { "--" } else { "->" };
                    return self.words.fail(&format!("expected a node after {join}"));
                }
            }
        }
        // Attributes of the arrows.
        let list = self.attributes()?;
        if let Some(edges) = self.edges.as_mut().filter(|_| !list.is_empty()) {
            // Edges that have had the same share them still.
            let mut extended: Vec<(Arc<Attributes>, Arc<Attributes>)> = Vec::new();
            for edge in chain {
                let own = &mut edges[edge];
                let known = extended.iter().rev().take(8).find(|(before, _)| Arc::ptr_eq(before, own));
                let longer = match known {
                    Some((_, longer)) => longer.clone(),
                    None => {
                        let mut longer = own.as_ref().clone();
                        longer.extend(list.iter().cloned());
                        self.pairs += longer.len();
                        extended.push((own.clone(), Arc::new(longer)));
                        extended[extended.len() - 1].1.clone()
                    }
                };
                *own = longer;
            }
            if self.pairs > MOST_PAIRS {
                return self.words.fail("more than 5,000,000 attributes of edges");
            }
        }
        Ok(None)
    }

    /// Reads `NAME {` after `subgraph` and returns the scope.
    fn subgraph(
        &mut self,
        scope: &Scope,
        tails: Option<Vec<u32>>,
        chain: Vec<usize>,
    ) -> Result<Scope, String> {
        if let Word::Name(..) = self.words.peek()? {
            self.words.take()?;
        }
        if !self.words.sign('{')? {
            return self.words.fail("expected { after subgraph");
        }
        Ok(scope.inner(tails, chain))
    }

    /// Returns the node of a name, skipping its port.
    fn node(&mut self, scope: &mut Scope, name: String) -> Result<u32, String> {
        while self.words.sign(':')? {
            self.words.name("a port after :")?;
        }
        let count = u32::try_from(self.dot.nodes.len()).or_else(|_| self.words.fail("too many nodes"))?;
        let node = match self.ids.entry(name) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let name = new.key().clone();
                self.dot.nodes.push(Node { name, defaults: scope.defaults.clone(), attributes: Vec::new() });
                *new.insert(count)
            }
        };
        scope.members.push(node);
        Ok(node)
    }

    /// Replaces the defaults of these names, and adds those of others.
    fn add_defaults(&mut self, defaults: &mut Arc<Attributes>, list: Attributes) -> Result<(), String> {
        let defaults = Arc::make_mut(defaults);
        for (name, value) in list {
            match defaults.iter().position(|(known, _)| *known == name) {
                Some(at) => defaults[at].1 = value,
                None if defaults.len() == MOST_ATTRIBUTES => {
                    return self
                        .words
                        .fail(&format!("expected at most {MOST_ATTRIBUTES} names with a default"));
                }
                None => defaults.push((name, value)),
            }
        }
        Ok(())
    }

    /// Reads any number of attribute lists in brackets.
    fn attributes(&mut self) -> Result<Attributes, String> {
        let mut list = Vec::new();
        while self.words.sign('[')? {
            while !self.words.sign(']')? {
                let name = self.words.name("an attribute or ]")?;
                // A bare name means "true".
                let value = if self.words.sign('=')? {
                    self.words.name("a value after =")?
                } else {
                    "true".to_string()
                };
                if list.len() == MOST_ATTRIBUTES {
                    return self.words.fail(&format!("expected at most {MOST_ATTRIBUTES} attributes"));
                }
                list.push((name, value));
                let _ = self.words.sign(';')? || self.words.sign(',')?;
            }
        }
        Ok(list)
    }
}

fn is_keyword(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

/// Returns `text` as a quoted name or label of DOT.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(text: &str) -> Vec<String> {
        let dot = read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let name = |n: u32| dot.nodes[n as usize].name.as_str();
        dot.arrows.iter().map(|&(from, to)| format!("{}>{}", name(from), name(to))).collect()
    }

    #[test]
    fn chains_groups_and_subgraphs_draw_their_arrows() {
        assert_eq!(arrows("digraph G { a -> b -> c; a->c }"), ["a>b", "b>c", "a>c"]);
        assert_eq!(arrows("strict digraph{a->{b c}->d}"), ["a>b", "a>c", "b>d", "c>d"]);
        assert_eq!(arrows("digraph { subgraph s { a; b } -> c [w=1] }"), ["a>c", "b>c"]);
        assert_eq!(arrows("digraph { {a {b}} -> subgraph {c} -> d }"), ["a>c", "b>c", "c>d"]);
        assert_eq!(arrows("digraph { a:n -> b:p:sw; rankdir=LR; graph [x=1] edge[y]; }"), ["a>b"]);
    }

    #[test]
    fn names_are_read_in_every_spelling() {
        assert_eq!(
            arrows(r#"digraph { "a b" -> "c\"d" -> "e" + "f" -> <x<b>y</b>> -> -1.5 -> .5 -> ä1 }"#).len(),
            6
        );
        assert_eq!(arrows("digraph { // c\n a /* -> x */ -> b\n# -> y\n -> c }"), ["a>b", "b>c"]);
        let dot = read(r#"digraph { "e" + "f"; "c\"d" [label="\N"]; 007 }"#).unwrap();
        let names: Vec<&str> = dot.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["ef", "c\"d", "007"]);
        assert_eq!(dot.nodes[1].get("label"), Some("\\N"));
    }

    #[test]
    fn defaults_hold_for_nodes_named_later_and_end_with_their_subgraph() {
        let dot = read("digraph { x; node [o=1]; a; {node [o=2]; b} c; a [p=3] a [p=4]; b [o=5]}").unwrap();
        let all: Vec<_> =
            dot.nodes.iter().map(|node| (node.name.as_str(), node.get("o"), node.get("p"))).collect();
        let expected =
            [("x", None, None), ("a", Some("1"), Some("4")), ("b", Some("5"), None), ("c", Some("1"), None)];
        assert_eq!(all, expected);
    }

    #[test]
    fn what_is_no_digraph_is_refused_with_its_line() {
        for bad in [
            "",
            "graph {}",
            "digraph",
            "digraph {",
            "digraph { a -> }",
            "digraph { a -- b }",
            "digraph {} x",
            "digraph { \"a }",
            "digraph { a [x=] }",
            "digraph { a [x=1 }",
            "digraph { /* }",
            "digraph { <a }",
            "digraph { 1a }",
            "digraph { a -> ; }",
            "digraph { ] }",
            "digraph { @ }",
            "digraph { - }",
            "{ a }",
            "digraph { \"a\" + b }",
            "digraph { \"\\",
            "digraph { a = }",
            "digraph { subgraph x }",
            "digraph { 1.2.3 }",
        ] {
            let refusal = read(bad).expect_err(bad);
            assert!(refusal.starts_with("line 1: "), "{bad}: {refusal}");
        }
        assert!(read("digraph {\n\n a -> ;\n}").unwrap_err().starts_with("line 3: "));
    }

    #[test]
    fn groups_that_stand_for_too_many_arrows_are_refused_before_they_are_drawn() {
        let group = |letter: char| (0..4_000).map(|i| format!("{letter}{i} ")).collect::<String>();
        let (a, b) = (group('a'), group('b'));
        let text = format!("digraph {{ {{{a}}} -> {{{b}}} }}");
        assert!(read(&text).unwrap_err().contains("more than 10,000,000 arrows"));
    }

    #[test]
    fn defaults_replace_each_other_and_are_not_too_many() {
        let same: String = (0..2_000).map(|i| format!("node [x={i}] a{i}; ")).collect();
        let dot = read(&format!("digraph {{ {same} }}")).unwrap();
        assert_eq!(dot.nodes[1_999].get("x"), Some("1999"));
        assert_eq!(dot.nodes[1_999].defaults.len(), 1);
        let others: String = (0..300).map(|i| format!("node [x{i}=1] a{i}; ")).collect();
        let refused = read(&format!("digraph {{ {others} }}")).unwrap_err();
        assert!(refused.contains("at most 200 names"), "{refused}");
    }

    #[test]
    fn undirected_graphs_keep_the_attributes_of_each_edge() {
        let text =
            "graph { edge [w=1]; { edge [w=2]; a -- b } -- c [v=3]; a -- { c d } -- e -- a [w=4]; a--a }";
        let graph = read_undirected(text).unwrap();
        let name = |n: u32| graph.nodes[n as usize].name.as_str();
        let edges: Vec<String> = graph
            .edges
            .iter()
            .map(|edge| {
                let (a, b) = edge.ends;
                format!("{}{}{}{}", name(a), name(b), edge.get("w").unwrap(), edge.get("v").unwrap_or(""))
            })
            .collect();
        assert_eq!(edges, ["ab2", "ac13", "bc13", "ac4", "ad4", "ce4", "de4", "ea4", "aa1"]);
        for bad in ["digraph { }", "graph { a -> b }", "graph { a -- }", "graph {", "graph { a -- b -> c }"] {
            assert!(read_undirected(bad).expect_err(bad).starts_with("line 1: "), "{bad}");
        }
    }

    #[test]
    fn an_attribute_set_to_nothing_is_not_set() {
        let dot = read("digraph { node [o=1]; a [o=\"\"]; b [p=\"\"]; c [o=2, o=\"\"] }").unwrap();
        let all: Vec<_> = dot.nodes.iter().map(|node| (node.get("o"), node.get("p"))).collect();
        assert_eq!(all, [(None, None), (Some("1"), None), (None, None)]);
        let graph = read_undirected("graph { edge [w=1]; a -- b [w=\"\"] }").unwrap();
        assert_eq!(graph.edges[0].get("w"), None);
    }

    #[test]
    fn a_strict_graph_has_one_edge_between_two_nodes() {
        let graph = read_undirected(
            "strict graph { edge [w=1]; a -- b -- a [v=2]; {a b} -- c; c -- b [w=3]; a -- a }",
        )
        .unwrap();
        let edges: Vec<_> =
            graph.edges.iter().map(|edge| (edge.ends, edge.get("w"), edge.get("v"))).collect();
        let (one, three) = (Some("1"), Some("3"));
        assert_eq!(
            edges,
            [((0, 1), one, Some("2")), ((0, 2), one, None), ((1, 2), three, None), ((0, 0), one, None)]
        );
    }

    #[test]
    fn lines_are_joined_and_a_number_sign_within_a_line_is_no_comment() {
        assert_eq!(arrows("#pragma\ndigraph { \"a\\\nb\" -> \"c\\\r\nd\" }"), ["ab>cd"]);
        assert!(read("digraph {#a\n}").is_err());
    }

    #[test]
    fn deep_nesting_and_long_chains_do_not_end_the_stack() {
        let deep = format!("digraph {{ {} a {} }}", "{".repeat(200_000), "}".repeat(200_000));
        assert_eq!(read(&deep).map(|dot| dot.nodes.len()), Ok(1));
        let long: String = (0..200_000).map(|n| format!("{n} -> ")).collect();
        assert_eq!(read(&format!("digraph {{ {long} x }}")).map(|dot| dot.arrows.len()), Ok(200_000));
    }
}
