//! Random statements over the tables of `oracle.rs`.

use effigy_relations::Const;

/// A statement.
#[derive(Debug)]
pub struct Statement {
    pub sql: String,
    pub values: Vec<Const>,
    /// Its result is rows.
    pub reads: bool,
    /// These have an order.
    pub ordered: bool,
}

pub struct Draw {
    state: u64,
    values: Vec<Const>,
    open: u32,
}

/// A table under a name.
#[derive(Clone)]
struct From {
    alias: String,
    table: &'static str,
}

const INTS: [(&str, &[&str]); 3] = [
    ("user", &["id", "is_admin", "boss_id"]),
    ("contact", &["id", "user_id", "score"]),
    ("permission", &["contact_id", "user_id", "level"]),
];
const TEXTS: [(&str, &[&str]); 3] =
    [("user", &["name", "email"]), ("contact", &["name", "access"]), ("permission", &[])];

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw { state: seed ^ 0x9e37_79b9_7f4a_7c15, values: Vec::new(), open: 0 }
    }

    fn next(&mut self) -> u64 {
        // Steele, Lea, Flood 2014: SplitMix.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.state;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    pub fn number(&mut self) -> i64 {
        self.below(9) as i64 - 3
    }

    pub fn short_text(&mut self) -> String {
        self.pick(&["", "a", "ab", "A", "b", "public", "private", "a_b", "0123456789abcdef"]).to_owned()
    }

    fn text(&mut self) -> String {
        let long = self.pick(&["a text of more than sixteen", "0123456789abcdefg", "%", "é"]);
        if self.below(8) == 0 { long.to_owned() } else { self.short_text() }
    }

    /// A constant, written or as a parameter.
    fn constant(&mut self, value: Const) -> String {
        if self.coin() {
            self.values.push(value);
            // Which place it has is known when the statement is done.
            format!("\u{1}{}\u{1}", self.values.len() - 1)
        } else {
            value.to_string()
        }
    }

    fn columns(of: [(&'static str, &'static [&'static str]); 3], table: &str) -> &'static [&'static str] {
        of.iter().find(|it| it.0 == table).map_or(&[], |it| it.1)
    }

    fn int(&mut self, from: &[From], depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => {
                let number = self.number();
                self.constant(Const::Int(number))
            }
            2..=5 => {
                let it = &from[self.below(from.len())];
                format!("\"{}\".\"{}\"", it.alias, self.pick(Draw::columns(INTS, it.table)))
            }
            6 => {
                let op = self.pick(&["+", "-", "*", "/", "%"]);
                let a = self.int(from, depth - 1);
                let b = self.int(from, depth - 1);
                format!("({a} {op} {b})")
            }
            7 => {
                let cond = self.cond(from, depth - 1);
                let a = self.int(from, depth - 1);
                let b = self.int(from, depth - 1);
                format!("(CASE WHEN {cond} THEN {a} ELSE {b} END)")
            }
            8 => {
                let a = self.int(from, depth - 1);
                let b = self.int(from, depth - 1);
                format!("COALESCE({a}, {b})")
            }
            _ => {
                let inner = self.from(from.len());
                let mut all = from.to_vec();
                all.push(inner.clone());
                let what = match self.below(4) {
                    0 => "COUNT(*)".to_owned(),
                    1 => format!("SUM({})", self.int(std::slice::from_ref(&inner), 0)),
                    2 => format!("MAX({})", self.int(std::slice::from_ref(&inner), 0)),
                    _ => format!("COUNT(DISTINCT {})", self.int(std::slice::from_ref(&inner), 0)),
                };
                let cond = self.cond(&all, depth - 1);
                format!("(SELECT {what} FROM \"{}\" AS \"{}\" WHERE {cond})", inner.table, inner.alias)
            }
        }
    }

    fn text_of(&mut self, from: &[From]) -> String {
        let it = from[self.below(from.len())].clone();
        let columns = Draw::columns(TEXTS, it.table);
        if columns.is_empty() || self.below(3) == 0 {
            let text = self.text();
            return self.constant(Const::text(&text));
        }
        format!("\"{}\".\"{}\"", it.alias, self.pick(columns))
    }

    fn from(&mut self, number: usize) -> From {
        From { alias: format!("t{number}"), table: ["user", "contact", "permission"][self.below(3)] }
    }

    fn cond(&mut self, from: &[From], depth: usize) -> String {
        match self.below(if depth == 0 { 6 } else { 12 }) {
            0..=2 => {
                let op = self.pick(&["=", "<>", "<", "<=", ">", ">="]);
                let a = self.int(from, depth.saturating_sub(1));
                let b = self.int(from, depth.saturating_sub(1));
                format!("{a} {op} {b}")
            }
            3 => {
                let op = self.pick(&["=", "<>", "<", ">="]);
                let a = self.text_of(from);
                let b = self.text_of(from);
                format!("{a} {op} {b}")
            }
            4 => {
                let a = if self.coin() { self.int(from, 0) } else { self.text_of(from) };
                format!("{a} IS {}NULL", self.pick(&["", "NOT "]))
            }
            5 => {
                let text = self.text_of(from);
                let not = self.pick(&["", "NOT "]);
                let pattern = self.pick(&["a%", "%b", "%a%", "_", "A_%", "%", "", "a\\_%", "%\\%"]);
                let escape = if pattern.contains('\\') { " ESCAPE '\\'" } else { "" };
                let pattern = self.constant(Const::text(pattern));
                format!("{text} {not}LIKE {pattern}{escape}")
            }
            6 | 7 => {
                let a = self.cond(from, depth - 1);
                let b = self.cond(from, depth - 1);
                format!("({a} {} {b})", self.pick(&["AND", "OR"]))
            }
            8 => format!("NOT ({})", self.cond(from, depth - 1)),
            9 => {
                let a = self.int(from, 0);
                let not = self.pick(&["", "NOT "]);
                if self.coin() {
                    let low = self.int(from, 0);
                    let high = self.int(from, 0);
                    return format!("{a} {not}BETWEEN {low} AND {high}");
                }
                let list: Vec<String> = (0..1 + self.below(3)).map(|_| self.int(from, 0)).collect();
                format!("{a} {not}IN ({})", list.join(", "))
            }
            10 => {
                let inner = self.from(from.len());
                let mut all = from.to_vec();
                all.push(inner.clone());
                let not = self.pick(&["", "NOT "]);
                let cond = self.cond(&all, depth - 1);
                format!("{not}EXISTS (SELECT 1 FROM \"{}\" AS \"{}\" WHERE {cond})", inner.table, inner.alias)
            }
            _ => {
                let inner = self.from(from.len());
                let mut all = from.to_vec();
                all.push(inner.clone());
                let not = self.pick(&["", "NOT "]);
                let a = self.int(from, 0);
                let b = self.int(std::slice::from_ref(&inner), 0);
                let cond = self.cond(&all, depth - 1);
                format!("{a} {not}IN (SELECT {b} FROM \"{}\" AS \"{}\" WHERE {cond})", inner.table, inner.alias)
            }
        }
    }

    fn select(&mut self) -> Statement {
        let first = self.from(0);
        let mut from = vec![first.clone()];
        let mut tables = format!("\"{}\" AS \"{}\"", first.table, first.alias);
        let mut order: Vec<String> = Vec::new();
        for _ in 0..self.below(3) {
            let more = self.from(from.len());
            from.push(more.clone());
            let on = self.cond(&from, 1);
            let join = self.pick(&["INNER JOIN", "LEFT JOIN", "JOIN", "RIGHT JOIN", "FULL JOIN"]);
            tables.push_str(&format!(" {join} \"{}\" AS \"{}\" ON {on}", more.table, more.alias));
        }
        // A query with a name in the place of the first table, or of one that joins the first with itself.
        let mut with = String::new();
        if self.below(4) == 0 {
            let own = [From { alias: "own".to_owned(), table: first.table }];
            let cond = self.cond(&own, 1);
            with = format!("WITH \"w\" AS (SELECT * FROM \"{}\" AS \"own\" WHERE {cond}) ", first.table);
            if self.coin() {
                with = format!("{}, \"v\" AS (SELECT \"o\".* FROM \"w\" AS \"o\") ", with.trim_end());
            }
            let name = if with.contains("\"v\"") { "v" } else { "w" };
            tables = tables.replace(&format!("\"{}\" AS \"t", first.table), &format!("\"{name}\" AS \"t"));
        }
        let keys = |order: &mut Vec<String>| {
            for it in &from {
                if it.table == "permission" {
                    order.push(format!("\"{}\".\"contact_id\"", it.alias));
                    order.push(format!("\"{}\".\"user_id\"", it.alias));
                } else {
                    order.push(format!("\"{}\".\"id\"", it.alias));
                }
            }
        };
        let tail = self.below(10);
        if tail < 2 {
            // Groups.
            let key = if self.coin() { self.int(&from, 0) } else { self.text_of(&from) };
            if key.starts_with('\u{1}') || key.parse::<i64>().is_ok() || key.starts_with('\'') {
                return self.statement();
            }
            let value = self.int(&from, 0);
            let what = self.pick(&["COUNT(*)", "SUM(V)", "MIN(V)", "MAX(V)", "COUNT(V)"]).replace('V', &value);
            let cond = self.cond(&from, 1);
            let having = if self.coin() { format!(" HAVING COUNT(*) > {}", self.below(2)) } else { String::new() };
            let sql = format!(
                "{with}SELECT {key} AS \"k\", {what} AS \"n\" FROM {tables} WHERE {cond} GROUP BY {key}{having}"
            );
            return self.done(sql, true, false);
        }
        let columns: Vec<String> = match self.below(4) {
            0 => vec!["*".to_owned()],
            _ => (0..1 + self.below(3))
                .map(|_| if self.coin() { self.int(&from, 1) } else { self.text_of(&from) })
                .collect(),
        };
        let distinct = if self.below(6) == 0 { "DISTINCT " } else { "" };
        let cond = if self.below(3) == 0 { "TRUE".to_owned() } else { self.cond(&from, 2) };
        let mut sql = format!("{with}SELECT {distinct}{} FROM {tables} WHERE {cond}", columns.join(", "));
        let ordered = distinct.is_empty() && self.coin();
        if ordered {
            for _ in 0..1 + self.below(2) {
                let by = if self.coin() { self.int(&from, 0) } else { self.text_of(&from) };
                // A number is the number of a column.
                if by.starts_with('"') {
                    order.push(format!("{by} {}", self.pick(&["ASC", "DESC", "ASC NULLS LAST", "DESC NULLS FIRST"])));
                }
            }
            keys(&mut order);
            sql.push_str(&format!(" ORDER BY {}", order.join(", ")));
            if self.coin() {
                let limit = self.below(3) as i64;
                sql.push_str(&format!(" LIMIT {}", self.constant(Const::Int(limit))));
                if self.coin() {
                    let offset = self.below(3) as i64;
                    sql.push_str(&format!(" OFFSET {}", self.constant(Const::Int(offset))));
                }
            }
        }
        self.done(sql, true, ordered)
    }

    fn id(&mut self) -> String {
        let id = 1 + self.below(5) as i64;
        self.constant(Const::Int(id))
    }

    fn maybe_null(&mut self, value: Const) -> String {
        if self.below(4) == 0 { "NULL".to_owned() } else { self.constant(value) }
    }

    fn insert(&mut self) -> Statement {
        let mut sql = match self.below(3) {
            0 => {
                let name = self.text();
                let name = self.maybe_null(Const::text(&name));
                let email = self.pick(&["1", "a2", "new", "b@3"]);
                let email = self.constant(Const::text(email));
                let boss = if self.coin() { "NULL".to_owned() } else { self.id() };
                format!("INSERT INTO \"user\" (\"name\", \"email\", \"boss_id\") VALUES ({name}, {email}, {boss})")
            }
            1 => {
                let name = self.text();
                let name = self.maybe_null(Const::text(&name));
                let user = self.id();
                let access = self.pick(&["public", "private", "other"]);
                let access = self.constant(Const::text(access));
                let score = self.number();
                let score = self.maybe_null(Const::Int(score));
                format!(
                    "INSERT INTO \"contact\" (\"name\", \"user_id\", \"access\", \"score\") VALUES ({name}, {user}, {access}, {score})"
                )
            }
            _ => {
                let contact = self.id();
                let user = self.id();
                format!("INSERT INTO \"permission\" (\"contact_id\", \"user_id\") VALUES ({contact}, {user})")
            }
        };
        let reads = self.coin();
        if sql.contains("\"permission\"") {
            match self.below(4) {
                0 => sql.push_str(" ON CONFLICT (\"contact_id\", \"user_id\") DO NOTHING"),
                1 => {
                    sql.push_str(" ON CONFLICT (\"contact_id\", \"user_id\") DO UPDATE SET \"level\" = \"permission\".\"level\" + 1");
                }
                _ => {}
            }
            if reads {
                sql.push_str(" RETURNING \"contact_id\", \"level\"");
            }
        } else if reads {
            sql.push_str(" RETURNING \"id\", \"name\"");
        }
        self.done(sql, reads, true)
    }

    fn changed_table(&mut self) -> (&'static str, [From; 1]) {
        let table = self.pick(&["user", "contact", "permission"]);
        (table, [From { alias: table.to_owned(), table }])
    }

    fn update(&mut self) -> Statement {
        let (table, from) = self.changed_table();
        let set = match (table, self.below(3)) {
            ("user", 0) => {
                let name = self.text();
                format!("\"name\" = {}", self.maybe_null(Const::text(&name)))
            }
            ("user", 1) => format!("\"boss_id\" = {}", self.id()),
            ("user", _) => {
                let email = self.pick(&["1", "a2", "new"]);
                format!("\"email\" = {}", self.constant(Const::text(email)))
            }
            ("contact", 0) => format!("\"score\" = {}", self.int(&from, 1)),
            ("contact", 1) => format!("\"user_id\" = {}, \"score\" = \"score\" + 1", self.id()),
            ("contact", _) => {
                let access = self.pick(&["public", "private", "other"]);
                format!("\"access\" = {}", self.constant(Const::text(access)))
            }
            _ => format!("\"level\" = {}", self.pick(&["13", "\"level\" * 2", "NULL"])),
        };
        let cond = self.cond(&from, 1);
        self.done(format!("UPDATE \"{table}\" SET {set} WHERE {cond}"), false, true)
    }

    fn delete(&mut self) -> Statement {
        let (table, from) = self.changed_table();
        let cond = self.cond(&from, 1);
        self.done(format!("DELETE FROM \"{table}\" WHERE {cond}"), false, true)
    }

    fn done(&mut self, sql: String, reads: bool, ordered: bool) -> Statement {
        let drawn = std::mem::take(&mut self.values);
        let mut values = Vec::new();
        let mut text = String::new();
        for (at, part) in sql.split('\u{1}').enumerate() {
            if at % 2 == 0 {
                text.push_str(part);
            } else {
                text.push('?');
                values.push(drawn[part.parse::<usize>().expect("the number of a parameter")].clone());
            }
        }
        Statement { sql: text, values, reads, ordered }
    }

    pub fn statement(&mut self) -> Statement {
        self.values.clear();
        match self.below(20) {
            0..=10 => self.select(),
            11..=13 => self.insert(),
            14 | 15 => self.update(),
            16 | 17 => self.delete(),
            _ if self.open == 0 => {
                self.open = 1;
                self.done("BEGIN".to_owned(), false, true)
            }
            _ => {
                self.open = 0;
                let end = self.pick(&["COMMIT", "ROLLBACK"]);
                self.done(end.to_owned(), false, true)
            }
        }
    }
}
