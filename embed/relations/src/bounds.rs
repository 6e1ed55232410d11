//! What is read at all: trees are walked by recursion, and somebody may send megabytes.
//!
//! Knows: tokens. Never: what they mean.

use crate::error::{Refusal, SqlError};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer};

/// Operators of one statement: each may be within another.
const MOST_NESTED: usize = 400;

/// The longest text that is read.
const LONGEST: usize = 1 << 20;

/// Whether a token may make a tree deeper; brackets are bounded by the parser.
fn nests(token: &Token) -> bool {
    match token {
        Token::Word(it) => {
            matches!(it.keyword, Keyword::AND | Keyword::OR | Keyword::NOT | Keyword::UNION | Keyword::IS)
        }
        Token::Plus | Token::Minus | Token::Mul | Token::Div | Token::Mod | Token::StringConcat => true,
        Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq => true,
        _ => false,
    }
}

/// The tokens of some statements, none of which is too deep to be walked.
pub(crate) fn tokens(sql: &str) -> Result<Vec<TokenWithSpan>, SqlError> {
    let refuse = |what: &str| Refusal::at(what, Span::empty(), sql);
    if sql.len() > LONGEST {
        return Err(refuse("a statement of so many bytes").into());
    }
    let tokens =
        Tokenizer::new(&SQLiteDialect {}, sql).tokenize_with_location().map_err(|it| refuse(&it.to_string()))?;
    for statement in tokens.split(|it| it.token == Token::SemiColon) {
        let parts = statement.split(|it| it.token == Token::Comma);
        if parts.map(operators).sum::<usize>() > MOST_NESTED {
            return Err(refuse("a statement of so many operators").into());
        }
    }
    Ok(tokens)
}

/// The operators between two commas. NOT NULL is said of each column, none of which is within another: one is not counted.
fn operators(part: &[TokenWithSpan]) -> usize {
    let words = part.iter().map(|it| &it.token).filter(|it| !matches!(it, Token::Whitespace(_)));
    let is = |it: &Token, keyword: Keyword| matches!(it, Token::Word(word) if word.keyword == keyword);
    let column = words.clone().zip(words.clone().skip(1)).any(|(a, b)| is(a, Keyword::NOT) && is(b, Keyword::NULL));
    words.filter(|it| nests(it)).count() - usize::from(column)
}
