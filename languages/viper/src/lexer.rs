//! From text to tokens, with their places.
//!
//! Knows: words, numbers, strings, symbols, comments, lines and columns. Never: grammar.
//! Source: silver's `FastParser.scala` (white space is blank, tab, CR and LF; a string has no escapes).
//!
//! Never fails: what is no token becomes a [`Tok::Bad`], which the parser reports when it gets there.

use effigy_contracts::Span;

macro_rules! symbols {
    ($($name:ident $text:literal)*) => {
        /// The symbols of the language.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Sym { $($name,)* }
        impl Sym {
            /// All, so that the first that fits is the longest that fits.
            const ALL: &'static [(Sym, &'static str)] = &[$((Sym::$name, $text),)*];
            /// The symbol as programs write it.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Sym::$name => $text,)* }
            }
        }
    };
}

symbols! {
    Iff "<==>" Implies "==>" Wand "--*"
    ColonColon "::" Assign ":=" EqEq "==" Ne "!=" Le "<=" Ge ">=" AndAnd "&&" OrOr "||" Append "++" DotDot ".."
    LParen "(" RParen ")" LBrace "{" RBrace "}" LBracket "[" RBracket "]"
    Comma "," Semi ";" Colon ":" Dot "." Bar "|" Question "?" Hash "#"
    Lt "<" Gt ">" Plus "+" Minus "-" Star "*" Slash "/" Backslash "\\" Percent "%" Not "!"
}

/// The kind of a token, with its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok<'a> {
    /// A name or a keyword, as written.
    Word(&'a str),
    /// The digits of an integer.
    Int(&'a str),
    /// The text of a string between quotes.
    Text(&'a str),
    /// What stands between angles after `import`.
    Path(&'a str),
    /// The key of an annotation, after its `@`.
    Annotation(&'a str),
    /// One of the symbols of the language.
    Sym(Sym),
    /// No token, and what is wrong with it.
    Bad(&'static str),
    /// The end of the file.
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) tok: Tok<'a>,
    pub(crate) span: Span,
    /// Only blanks, at most, are between the token before and this one: `f (x)` is a call, with a line break it is not.
    pub(crate) beside: bool,
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Column of `at`, from 1.
    column: u32,
}

/// All tokens of a file; the last one, and no other, is [`Tok::End`].
pub(crate) fn tokens(text: &str, file: u32) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, line: 1, column: 1 };
    let mut res: Vec<Token> = Vec::with_capacity(text.len() / 5 + 2);
    loop {
        let before = lexer.at;
        let closed = lexer.skip_space();
        let beside = text.as_bytes()[before..lexer.at].iter().all(|it| *it == b' ');
        let (line, column) = (lexer.line, lexer.column);
        let tok = match closed {
            Ok(()) => lexer.token(matches!(res.last(), Some(Token { tok: Tok::Word("import"), .. }))),
            Err(what) => Tok::Bad(what),
        };
        let span = Span { file, line, column, end_line: lexer.line, end_column: lexer.column };
        res.push(Token { tok, span, beside });
        match tok {
            Tok::End => return res,
            // Nothing of the text is left that could be read.
            Tok::Bad(_) if closed.is_err() => lexer.advance(text.len() - lexer.at),
            _ => {}
        }
    }
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes on by `bytes`, which must end at a character's border, and counts lines and columns.
    fn advance(&mut self, bytes: usize) {
        for it in self.rest()[..bytes].chars() {
            if it == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.at += bytes;
    }

    /// Skips white space and comments; an error is a comment that does not end.
    fn skip_space(&mut self) -> Result<(), &'static str> {
        loop {
            let rest = self.rest();
            match rest.as_bytes() {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.advance(1),
                [b'/', b'/', ..] => self.advance(rest.find('\n').unwrap_or(rest.len())),
                [b'/', b'*', ..] => match rest[2..].find("*/") {
                    Some(end) => self.advance(end + 4),
                    None => return Err("a comment that does not end"),
                },
                // A byte order mark, which some editors write.
                [0xef, 0xbb, 0xbf, ..] if self.at == 0 => self.at += 3,
                _ => return Ok(()),
            }
        }
    }

    fn token(&mut self, after_import: bool) -> Tok<'a> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Tok::End };
        let length = |more: fn(u8) -> bool| rest.bytes().take_while(|it| more(*it)).count();
        match first {
            'A'..='Z' | 'a'..='z' | '$' | '_' => Tok::Word(self.take(length(in_word))),
            '0'..='9' => Tok::Int(self.take(length(|it| it.is_ascii_digit()))),
            '"' => match rest[1..].find('"') {
                Some(end) => Tok::Text(&self.take(end + 2)[1..end + 1]),
                None => self.bad(1, "a string that does not end"),
            },
            '<' if after_import => match rest[1..].find(['>', '\n']) {
                Some(end) if rest.as_bytes()[end + 1] == b'>' => Tok::Path(&self.take(end + 2)[1..end + 1]),
                _ => self.bad(1, "a path that does not end"),
            },
            '@' if rest[1..].starts_with(|it: char| it.is_ascii() && starts_word(it as u8)) => {
                let length = 1 + rest[1..].bytes().take_while(|it| in_word(*it) || *it == b'.').count();
                Tok::Annotation(&self.take(length)[1..])
            }
            '@' => self.bad(1, "`@` without the name of an annotation"),
            _ => match Sym::ALL.iter().find(|(_, text)| rest.starts_with(text)) {
                Some((sym, text)) => {
                    self.take(text.len());
                    Tok::Sym(*sym)
                }
                None => self.bad(first.len_utf8(), "a character that means nothing here"),
            },
        }
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let res = &self.rest()[..bytes];
        self.advance(bytes);
        res
    }

    fn bad(&mut self, bytes: usize, what: &'static str) -> Tok<'a> {
        self.take(bytes);
        Tok::Bad(what)
    }
}

fn starts_word(it: u8) -> bool {
    it.is_ascii_alphabetic() || it == b'$' || it == b'_'
}

fn in_word(it: u8) -> bool {
    starts_word(it) || it.is_ascii_digit()
}

/// Words that cannot be names.
/// Source: `basicKeywords` of silver's `FastParser.scala`, and what its standard plugins add.
pub(crate) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "result"
            | "Int"
            | "Perm"
            | "Bool"
            | "Ref"
            | "Rational"
            | "true"
            | "false"
            | "null"
            | "import"
            | "method"
            | "function"
            | "predicate"
            | "domain"
            | "axiom"
            | "var"
            | "returns"
            | "field"
            | "define"
            | "interpretation"
            | "requires"
            | "ensures"
            | "invariant"
            | "fold"
            | "unfold"
            | "inhale"
            | "exhale"
            | "new"
            | "assert"
            | "assume"
            | "package"
            | "apply"
            | "quasihavoc"
            | "quasihavocall"
            | "while"
            | "if"
            | "elseif"
            | "else"
            | "goto"
            | "label"
            | "Seq"
            | "Set"
            | "Multiset"
            | "union"
            | "intersection"
            | "setminus"
            | "subset"
            | "Map"
            | "range"
            | "unfolding"
            | "in"
            | "applying"
            | "asserting"
            | "old"
            | "lhs"
            | "let"
            | "forall"
            | "exists"
            | "forperm"
            | "acc"
            | "wildcard"
            | "write"
            | "none"
            | "epsilon"
            | "unique"
            | "adt"
            | "derives"
            | "without"
            | "decreases"
            | "refute"
    )
}
