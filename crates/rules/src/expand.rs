//! Sections and macros: a file of tokens becomes five sections of tokens without macros.
//!
//! Macros are a preprocessor of tokens, as in C. `#m = tokens` has no arguments, `#m(a;b) = tokens` has two, and a call
//! is `m(x;y)`: arguments are separated by `;`, only parentheses nest, and arguments may contain any tokens. `~` joins
//! its neighbours to one name. A macro sees only those defined before it, so that none calls itself.

use grundy_core::text::counted;
use grundy_session::closest;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::{Lexed, Name, Names, Tok, Token, lex, show};
use crate::limits;
use crate::source::{Fault, Span};

/// The sections that every file has.
pub const SECTIONS: [&str; 5] = ["players", "pieces", "variables", "board", "rules"];

/// A file without macros.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// The tokens of each section, as in `SECTIONS`.
    pub sections: [Vec<Token>; 5],
    /// The beginning of each section.
    pub places: [Span; 5],
    /// Warnings for the author.
    pub warnings: Vec<Fault>,
    /// The macros, in the order of their definitions.
    pub macros: Vec<Defined>,
}

/// A macro of a file, for messages.
#[derive(Clone, Copy, Debug)]
pub struct Defined {
    /// The name.
    pub name: Name,
    /// The beginning of the definition.
    pub span: Span,
    /// Number of its parameters.
    pub parameters: usize,
}

/// The directives that are part of a game's meaning or notation.
const MEANT: [&str; 4] = ["letters", "move", "repeat", "value"];

/// Returns a canonical text of a rules file: a line `rules`; for each of the `SECTIONS` in their order a line of its
/// name and its tokens without macros and comments; then the directives that matter, in the order of their bytes. One
/// blank separates words and tokens.
///
/// # Errors
/// Those of `lex` and `expand`.
pub fn meaning(text: &str) -> Result<String, Fault> {
    let mut names = Names::default();
    let lexed = lex(text, &mut names)?;
    let expanded = expand(&lexed, &mut names)?;
    let mut said = "rules\n".to_owned();
    for (name, tokens) in SECTIONS.iter().zip(&expanded.sections) {
        said.push_str(name);
        for token in tokens {
            said.push(' ');
            match token.tok {
                Tok::Name(name) => said.push_str(names.word(name)),
                Tok::Number(number) => said.push_str(&number.to_string()),
                Tok::Sign(sign) => said.push_str(sign),
                Tok::End => {}
            }
        }
        said.push('\n');
    }
    let mut lines: Vec<String> = Vec::new();
    for remark in &lexed.remarks {
        let words: Vec<&str> = remark.text.split_whitespace().collect();
        if words.first().is_some_and(|key| MEANT.contains(key)) {
            lines.push(format!("//@ {}\n", words.join(" ")));
        }
    }
    grundy_core::sorting::sort(&mut lines);
    said.extend(lines);
    Ok(said)
}

/// A macro: its definition, its parameters and its body.
struct Macro {
    defined: Defined,
    parameters: Vec<Name>,
    body: Vec<Token>,
    /// True once it was called.
    called: bool,
}

/// All macros of a file, in the order of their definitions.
struct Macros<'a> {
    all: Vec<Macro>,
    /// The macros of a name.
    by_name: FxHashMap<Name, Vec<usize>>,
    names: &'a mut Names,
    /// Number of tokens that may still be made.
    budget: usize,
    /// Warnings of calls, and the places of these calls.
    warnings: Vec<Fault>,
    warned: FxHashSet<u32>,
}

/// Splits a file at its `#` signs and expands all macros.
///
/// # Errors
/// A definition that cannot be read, a section that is missing or there twice, a call with the wrong number of
/// arguments, or macros that grow beyond [`limits::TOKENS`].
pub fn expand(lexed: &Lexed, names: &mut Names) -> Result<Expanded, Fault> {
    let mut found = Expanded::default();
    let mut macros = Macros {
        all: Vec::new(),
        by_name: FxHashMap::default(),
        names,
        budget: limits::TOKENS,
        warnings: Vec::new(),
        warned: FxHashSet::default(),
    };
    let mut seen = [false; 5];
    let mut rest = lexed.tokens.as_slice();
    if let Some(first) = rest.first().filter(|first| first.tok != Tok::Sign("#")) {
        let what =
            format!("unexpected {}: expected `#` and the name of a section", show(first.tok, macros.names));
        return Err(Fault::new(first.span, what));
    }
    while let Some((sign, after)) = rest.split_first() {
        let length = after.iter().take_while(|token| token.tok != Tok::Sign("#")).count();
        let (definition, next) = after.split_at(length);
        rest = next;
        let (name, parameters, body) = header(sign.span, definition, macros.names)?;
        let word = macros.names.word(name).to_owned();
        if let Some(section) = SECTIONS.iter().position(|section| *section == word) {
            if parameters.is_some() || seen[section] {
                let why =
                    if seen[section] { "is there twice: expected it once" } else { "takes no arguments" };
                return Err(Fault::new(sign.span, format!("section `{word}` {why}")));
            }
            seen[section] = true;
            found.places[section] = sign.span;
            found.sections[section] = macros.expand(body, usize::MAX, 0)?;
            continue;
        }
        if ["hexagon", "cuboid", "rectangle"].contains(&word.as_str()) {
            return Err(Fault::new(
                sign.span,
                format!("`{word}` is reserved: expected another name for a macro"),
            ));
        }
        let arity = parameters.as_ref().map_or(0, Vec::len);
        let others = macros.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        let arities: Vec<usize> = others.iter().map(|&other| macros.all[other].parameters.len()).collect();
        if arities.contains(&0) || (arity == 0 && !arities.is_empty()) {
            let why = "a macro without arguments stands alone: expected another name";
            return Err(Fault::new(sign.span, format!("`{word}` is defined before; {why}")));
        }
        if arities.contains(&arity) {
            let what = format!(
                "macro `{word}` with {arity} arguments is defined before: the first definition counts"
            );
            found.warnings.push(Fault::new(sign.span, what));
            continue;
        }
        let number = macros.all.len();
        let defined = Defined { name, span: sign.span, parameters: arity };
        let (parameters, body) = (parameters.unwrap_or_default(), body.to_vec());
        macros.all.push(Macro { defined, parameters, body, called: false });
        macros.by_name.entry(name).or_default().push(number);
    }
    if let Some(missing) = seen.iter().position(|seen| !seen) {
        return Err(macros.missing(SECTIONS[missing], &lexed.tokens));
    }
    for Macro { defined, .. } in macros.all.iter().filter(|known| !known.called) {
        let word = grundy_core::words::short(macros.names.word(defined.name));
        found.warnings.push(Fault::new(defined.span, format!("macro `{word}` is never used")));
    }
    found.warnings.append(&mut macros.warnings);
    found.macros = macros.all.iter().map(|known| known.defined).collect();
    Ok(found)
}

/// Returns the name, the parameters and the body after a `#`.
#[allow(clippy::type_complexity)]
fn header<'t>(
    sign: Span,
    tokens: &'t [Token],
    names: &Names,
) -> Result<(Name, Option<Vec<Name>>, &'t [Token]), Fault> {
    // A blank after the sign looks like a comment of another language.
    let blank = tokens.first().is_some_and(|first| first.span.at > sign.at + 1);
    let or = if blank { ", or `//` in place of `#` if this is a comment" } else { "" };
    let wrong = |token: Option<&Token>, expected: &str| {
        let (span, found) =
            token.map_or((sign, "end of the section".to_owned()), |t| (t.span, show(t.tok, names)));
        Fault::new(span, format!("unexpected {found}: expected {expected}{or}"))
    };
    let Some(Token { tok: Tok::Name(name), .. }) = tokens.first() else {
        return Err(wrong(tokens.first(), "the name of a section or of a macro"));
    };
    let mut at = 1;
    let mut parameters = None;
    if tokens.get(1).is_some_and(|token| token.tok == Tok::Sign("(")) {
        let mut list = Vec::new();
        loop {
            at += 1;
            let Some(Token { tok: Tok::Name(parameter), span, .. }) = tokens.get(at) else {
                return Err(wrong(tokens.get(at), "the name of a parameter"));
            };
            if list.contains(parameter) {
                return Err(Fault::new(
                    *span,
                    format!("parameter `{}` is there twice", names.word(*parameter)),
                ));
            }
            list.push(*parameter);
            at += 1;
            match tokens.get(at).map(|token| token.tok) {
                Some(Tok::Sign(";")) => {}
                Some(Tok::Sign(")")) => break,
                _ => return Err(wrong(tokens.get(at), "`;` or `)`")),
            }
        }
        at += 1;
        parameters = Some(list);
    }
    match tokens.get(at) {
        Some(Token { tok: Tok::Sign("="), .. }) => Ok((*name, parameters, &tokens[at + 1..])),
        other => Err(wrong(other, "`=`")),
    }
}

impl Macros<'_> {
    /// Expands calls of the first `visible` macros.
    fn expand(&mut self, tokens: &[Token], visible: usize, depth: usize) -> Result<Vec<Token>, Fault> {
        let mut made = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            at += 1;
            let candidates = match token.tok {
                Tok::Name(name) if !token.pasted => self.by_name.get(&name).map_or(&[][..], Vec::as_slice),
                Tok::Sign("~") => {
                    return Err(Fault::new(
                        token.span,
                        "`~` outside of a macro: expected it between two names of one",
                    ));
                }
                _ => &[],
            };
            let candidates: Vec<usize> =
                candidates.iter().copied().filter(|&other| other < visible).collect();
            let Some(&first) = candidates.first() else {
                self.spend(1, token.span)?;
                made.push(token);
                continue;
            };
            if depth >= limits::DEPTH {
                return Err(Fault::new(
                    token.span,
                    format!("macros call each other more than {} deep", limits::DEPTH),
                ));
            }
            let plain = self.all[first].parameters.is_empty();
            let call = tokens.get(at).filter(|next| !plain && next.tok == Tok::Sign("("));
            if !plain && call.is_none() {
                // The name of a macro that takes arguments, without any: an ordinary name.
                self.spend(1, token.span)?;
                made.push(token);
                continue;
            }
            let (chosen, arguments) = if plain {
                (first, Vec::new())
            } else {
                let (arguments, end) = split(tokens, at, token.span)?;
                at = end;
                let fitting = candidates.iter().find(|&&m| self.all[m].parameters.len() == arguments.len());
                let Some(&fitting) = fitting else {
                    let takes: Vec<String> =
                        candidates.iter().map(|&m| self.all[m].parameters.len().to_string()).collect();
                    let what = format!(
                        "{} is called with {}: expected {}, with `;` between them",
                        show(token.tok, self.names),
                        counted(arguments.len(), "argument"),
                        takes.join(" or ")
                    );
                    return Err(Fault::new(token.span, what));
                };
                (fitting, arguments)
            };
            let mut given = Vec::with_capacity(arguments.len());
            for argument in arguments {
                given.push(self.expand(argument, visible, depth + 1)?);
            }
            self.all[chosen].called = true;
            let body = self.substitute(chosen, &given, token.span)?;
            let body = self.expand(&body, chosen, depth + 1)?;
            // Between numbers it multiplies.
            let opened = made.iter().rev().find_map(|token| match token.tok {
                Tok::Sign("{$" | "[$") => Some(true),
                Tok::Sign("}" | "]") => Some(false),
                _ => None,
            });
            if let Some(Tok::Sign(suffix @ ("*" | "^"))) = tokens.get(at).map(|next| next.tok)
                && opened != Some(true)
                && !is_one(&body)
                && self.warned.insert(token.span.at)
            {
                let what = format!(
                    "`{suffix}` applies only to the last word of {}: expected parentheses around the macro",
                    show(token.tok, self.names)
                );
                self.warnings.push(Fault::new(token.span, what));
            }
            made.extend(body);
        }
        Ok(made)
    }

    /// Returns the fault of a section that is missing: at what may have been meant by it, else at the end of the file.
    fn missing(&self, section: &str, tokens: &[Token]) -> Fault {
        let word = |token: &Token| match token.tok {
            Tok::Name(name) => self.names.word(name),
            _ => "",
        };
        let bare = tokens.windows(3).find(|three| {
            three[0].tok != Tok::Sign("#") && word(&three[1]) == section && three[2].tok == Tok::Sign("=")
        });
        if let Some(three) = bare {
            let what = format!("`{section}` without its sign: expected `#{section} = ..`");
            return Fault::new(three[1].span, what);
        }
        let known = self.all.iter().map(|known| known.defined);
        let named: Vec<(&str, Span)> = known.map(|own| (self.names.word(own.name), own.span)).collect();
        // Short names are the beginning of many others.
        let close = closest(section, named.iter().map(|&(word, _)| word).filter(|word| word.len() > 3));
        if let Some(&(word, span)) = close.and_then(|close| named.iter().find(|(word, _)| *word == close)) {
            let word = grundy_core::words::short(word);
            let what =
                format!("section `#{section}` is missing: is it meant by `#{word}`, which is a macro?");
            return Fault::new(span, what);
        }
        let end = tokens.last().map_or(Span::default(), |token| token.span);
        let empty = if section == "variables" { "; `#variables =` if there are none" } else { "" };
        let all = "#players, #pieces, #variables, #board and #rules";
        Fault::new(end, format!("section `#{section}` is missing: expected {all}{empty}"))
    }

    fn spend(&mut self, tokens: usize, span: Span) -> Result<(), Fault> {
        self.budget = self
            .budget
            .checked_sub(tokens)
            .ok_or_else(|| Fault::new(span, format!("macros grow beyond {} tokens", limits::TOKENS)))?;
        Ok(())
    }

    /// Returns the body of a macro with arguments substituted for parameters, and names joined.
    fn substitute(&mut self, chosen: usize, given: &[Vec<Token>], call: Span) -> Result<Vec<Token>, Fault> {
        let mut made: Vec<Token> = Vec::new();
        let mut joining = false;
        let length = self.all[chosen].body.len();
        for at in 0..length {
            let token = self.all[chosen].body[at];
            if token.tok == Tok::Sign("~") {
                if joining || at == 0 || at + 1 == length {
                    return Err(Fault::new(
                        token.span,
                        "`~` without a neighbour: expected names on both sides",
                    ));
                }
                joining = true;
                continue;
            }
            let argument = match token.tok {
                Tok::Name(name) => self.all[chosen].parameters.iter().position(|&p| p == name),
                _ => None,
            };
            let place = Span { at: token.span.at, site: call.site };
            let own = [Token { span: place, ..token }];
            let tokens: &[Token] = argument.map_or(&own, |argument| &given[argument]);
            self.spend(tokens.len() + 1, call)?;
            let mut tokens = tokens.iter().map(|t| Token { span: Span { site: call.site, ..t.span }, ..*t });
            // An empty argument joins nothing.
            if std::mem::take(&mut joining)
                && let (Some(left), Some(right)) = (made.last().copied(), tokens.next())
            {
                made.pop();
                made.push(self.join(left, right)?);
            }
            made.extend(tokens);
        }
        Ok(made)
    }

    /// Joins two tokens to one.
    fn join(&mut self, left: Token, right: Token) -> Result<Token, Fault> {
        let word = |tok: Tok| match tok {
            Tok::Name(name) => Some(self.names.word(name).to_owned()),
            Tok::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let (Some(first), Some(second)) = (word(left.tok), word(right.tok)) else {
            let what = format!(
                "`~` between {} and {}: expected names or numbers",
                show(left.tok, self.names),
                show(right.tok, self.names)
            );
            return Err(Fault::new(left.span, what));
        };
        let joined = first + &second;
        let tok = match left.tok {
            Tok::Number(_) => joined.parse().ok().filter(|&n| n <= limits::BOUND).map(Tok::Number),
            _ if joined.len() <= 1_000 => Some(Tok::Name(self.names.number(&joined))),
            _ => None,
        };
        let tok = tok.ok_or_else(|| Fault::new(left.span, "`~` makes neither a name nor a number"))?;
        Ok(Token { tok, span: left.span, pasted: true })
    }
}

/// Reports whether tokens are a single word, or all within one pair of parentheses.
fn is_one(tokens: &[Token]) -> bool {
    let mut depth = 0usize;
    let closed = tokens.iter().position(|token| {
        match token.tok {
            Tok::Sign("(") => depth += 1,
            Tok::Sign(")") => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    tokens.len() <= 1 || closed.is_some_and(|closed| closed + 1 == tokens.len())
}

/// Returns the place of the first `(` that is not closed within its section or macro, if there are more `(` than `)`.
pub fn unclosed(tokens: &[Token]) -> Option<Span> {
    let mut first: Option<Span> = None;
    let mut open: Vec<Span> = Vec::new();
    let (mut begun, mut ended) = (0usize, 0usize);
    for token in tokens {
        match token.tok {
            Tok::Sign("(") => {
                begun += 1;
                open.push(token.span);
            }
            Tok::Sign(")") => {
                ended += 1;
                open.pop();
            }
            Tok::Sign("#") => {
                first = first.or(open.first().copied());
                open.clear();
            }
            _ => {}
        }
    }
    first.or(open.first().copied()).filter(|_| begun > ended)
}

/// Returns the arguments of a call whose `(` is at index `open`, and the end of the call.
fn split(tokens: &[Token], open: usize, call: Span) -> Result<(Vec<&[Token]>, usize), Fault> {
    let mut arguments = Vec::new();
    let (mut depth, mut from) = (0, open + 1);
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.tok {
            Tok::Sign("(") => depth += 1,
            Tok::Sign(")") if depth == 1 => {
                arguments.push(&tokens[from..at]);
                return Ok((arguments, at + 1));
            }
            Tok::Sign(")") => depth -= 1,
            Tok::Sign(";") if depth == 1 => {
                arguments.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    Err(Fault::new(call, "a macro call without an end: expected `)`"))
}
