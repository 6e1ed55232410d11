//! `stdio.h`: what is written to standard output is kept with the path.
//!
//! Knows: the functions that write. Never: formats (`printf`), what is in files (`contents`).

use super::printf::{Arguments, Text, bytes_of, formatted, plain_text};
use super::{result_width, width_of};
use crate::checks::OUT_OF_BOUNDS_WRITE;
use crate::code::Call;
use crate::files::Target;
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::Width;

type Done = Flow<Option<Val>>;

/// Where a text goes.
enum Way {
    Output,
    /// To the open file of this number, by the stream of this address.
    File(u64, usize),
    /// To standard error, or to where nobody looks.
    Away,
}

impl Machine<'_, '_> {
    /// Where what is written to a stream goes.
    fn way(&mut self, stream: Option<&Val>) -> Flow<Way> {
        let address = match stream {
            Some(stream) => self.stream(stream)?,
            None => Some(self.program.library.streams[1]),
        };
        let files = &self.state.process.files;
        let stream = address.and_then(|it| Some((it, files.streams.get(&it)?.descriptor)));
        let opened = stream.and_then(|(it, descriptor)| Some((it, files.of_descriptor(u64::from(descriptor))?)));
        Ok(match opened.map(|(address, opened)| (address, opened, files.opened[opened].target)) {
            Some((_, _, Target::Output)) => Way::Output,
            Some((address, opened, Target::Content(_))) if files.opened[opened].writes => Way::File(address, opened),
            Some((_, _, Target::Content(_))) => {
                return Err(self.unsupported("writing to a stream that is only read"));
            }
            Some((_, _, Target::Errors)) | None => Way::Away,
        })
    }
}

/// Writes a text to a stream; how long it was, as the call's result.
fn print(it: &mut Machine<'_, '_>, call: &Call, stream: Option<&Val>, text: Text) -> Done {
    let way = it.way(stream)?;
    let length = it.ctx.terms.bv_truncate(result_width(call), text.length(it));
    if let Way::File(address, opened) = way {
        let mut files = it.files();
        let (characters, counts) = text.characters(it)?;
        it.put(&mut files, opened, &characters, Some(address))?;
        it.keep(files);
        counts.store(it);
        return Ok(Some(Val::Int(characters.len() as u64)));
    }
    let (chunks, counts) = text.pieces(it.ctx.terms);
    counts.store(it);
    if matches!(way, Way::Output) {
        for chunk in chunks {
            it.state.output.push(chunk);
        }
    }
    Ok(Some(it.of_term(length)))
}

/// `int printf(const char *format, ...)`
pub(crate) fn printf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let text = formatted(it, &it.argument(arguments, 0), Arguments::of_call(call, arguments, 1))?;
    print(it, call, None, text)
}

/// `int __printf_chk(int flag, const char *format, ...)`
pub(crate) fn printf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let text = formatted(it, &it.argument(arguments, 1), Arguments::of_call(call, arguments, 2))?;
    print(it, call, None, text)
}

/// `int fprintf(FILE *stream, const char *format, ...)`
pub(crate) fn fprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let stream = it.argument(arguments, 0);
    let text = formatted(it, &it.argument(arguments, 1), Arguments::of_call(call, arguments, 2))?;
    print(it, call, Some(&stream), text)
}

/// `int __fprintf_chk(FILE *stream, int flag, const char *format, ...)`
pub(crate) fn fprintf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let stream = it.argument(arguments, 0);
    let text = formatted(it, &it.argument(arguments, 2), Arguments::of_call(call, arguments, 3))?;
    print(it, call, Some(&stream), text)
}

/// `int vprintf(const char *format, va_list list)`
pub(crate) fn vprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let list = Arguments::of_list(it, &it.argument(arguments, 1))?;
    let text = formatted(it, &it.argument(arguments, 0), list)?;
    print(it, call, None, text)
}

/// `int __vprintf_chk(int flag, const char *format, va_list list)`
pub(crate) fn vprintf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let list = Arguments::of_list(it, &it.argument(arguments, 2))?;
    let text = formatted(it, &it.argument(arguments, 1), list)?;
    print(it, call, None, text)
}

/// `int vfprintf(FILE *stream, const char *format, va_list list)`
pub(crate) fn vfprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let stream = it.argument(arguments, 0);
    let list = Arguments::of_list(it, &it.argument(arguments, 2))?;
    let text = formatted(it, &it.argument(arguments, 1), list)?;
    print(it, call, Some(&stream), text)
}

/// `int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list)`
pub(crate) fn vfprintf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let stream = it.argument(arguments, 0);
    let list = Arguments::of_list(it, &it.argument(arguments, 3))?;
    let text = formatted(it, &it.argument(arguments, 2), list)?;
    print(it, call, Some(&stream), text)
}

/// Writes a text and its end to memory, at most `most` bytes of it; `room` is what the compiler knows of the target.
fn print_to_memory(it: &mut Machine<'_, '_>, text: Text, to: &Val, most: u64, room: u64) -> Done {
    let (mut characters, counts) = text.characters(it)?;
    let count = characters.len() as u64;
    let fits = most.min(count.saturating_add(1)) <= room && (most == u64::MAX || most <= room);
    let fits = it.ctx.terms.bool(fits);
    it.require(fits, OUT_OF_BOUNDS_WRITE, || format!("a text is written where {room} bytes have room"))?;
    if most > 0 {
        characters.truncate((most - 1).min(count) as usize);
        characters.push(Val::Int(0));
        let spot = it.resolve(to, characters.len() as u64, Access::Write)?;
        let bytes = bytes_of(it, &characters);
        it.write_from(spot, &bytes, characters.len());
    }
    counts.store(it);
    Ok(Some(Val::Int(count)))
}

/// `int sprintf(char *to, const char *format, ...)`
pub(crate) fn sprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let text = formatted(it, &it.argument(arguments, 1), Arguments::of_call(call, arguments, 2))?;
    print_to_memory(it, text, &it.argument(arguments, 0), u64::MAX, u64::MAX)
}

/// `int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)`
pub(crate) fn sprintf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let room = it.size_argument(arguments, 2)?;
    let text = formatted(it, &it.argument(arguments, 3), Arguments::of_call(call, arguments, 4))?;
    print_to_memory(it, text, &it.argument(arguments, 0), u64::MAX, room)
}

/// `int vsprintf(char *to, const char *format, va_list list)`
pub(crate) fn vsprintf(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let list = Arguments::of_list(it, &it.argument(arguments, 2))?;
    let text = formatted(it, &it.argument(arguments, 1), list)?;
    print_to_memory(it, text, &it.argument(arguments, 0), u64::MAX, u64::MAX)
}

/// `int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list)`
pub(crate) fn vsprintf_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let room = it.size_argument(arguments, 2)?;
    let list = Arguments::of_list(it, &it.argument(arguments, 4))?;
    let text = formatted(it, &it.argument(arguments, 3), list)?;
    print_to_memory(it, text, &it.argument(arguments, 0), u64::MAX, room)
}

/// `int snprintf(char *to, size_t size, const char *format, ...)`
pub(crate) fn snprintf(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let most = it.size_argument(arguments, 1)?;
    let text = formatted(it, &it.argument(arguments, 2), Arguments::of_call(call, arguments, 3))?;
    print_to_memory(it, text, &it.argument(arguments, 0), most, u64::MAX)
}

/// `int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)`
pub(crate) fn snprintf_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (most, room) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 3)?);
    let text = formatted(it, &it.argument(arguments, 4), Arguments::of_call(call, arguments, 5))?;
    print_to_memory(it, text, &it.argument(arguments, 0), most, room)
}

/// `int vsnprintf(char *to, size_t size, const char *format, va_list list)`
pub(crate) fn vsnprintf(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let most = it.size_argument(arguments, 1)?;
    let list = Arguments::of_list(it, &it.argument(arguments, 3))?;
    let text = formatted(it, &it.argument(arguments, 2), list)?;
    print_to_memory(it, text, &it.argument(arguments, 0), most, u64::MAX)
}

/// `int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list list)`
pub(crate) fn vsnprintf_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (most, room) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 3)?);
    let list = Arguments::of_list(it, &it.argument(arguments, 5))?;
    let text = formatted(it, &it.argument(arguments, 4), list)?;
    print_to_memory(it, text, &it.argument(arguments, 0), most, room)
}

/// `int puts(const char *s)`: how much was written, as glibc has it.
pub(crate) fn puts(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mut text = plain_text(it, &it.argument(arguments, 0))?;
    text.bytes(b"\n");
    print(it, call, None, text)
}

/// `int fputs(const char *s, FILE *stream)`: 1, as glibc has it.
pub(crate) fn fputs(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let text = plain_text(it, &it.argument(arguments, 0))?;
    print(it, call, Some(&it.argument(arguments, 1)), text)?;
    Ok(Some(Val::Int(1)))
}

/// `int putchar(int c)`: what was written, as an `unsigned char`.
pub(crate) fn putchar(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    put(it, call, arguments, None)
}

/// `int fputc(int c, FILE *stream)`
pub(crate) fn fputc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    put(it, call, arguments, Some(it.argument(arguments, 1)))
}

fn put(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val], stream: Option<Val>) -> Done {
    let value = it.argument(arguments, 0);
    let width = width_of(call, 0);
    let mut text = Text::default();
    text.character(it, &value, width)?;
    print(it, call, stream.as_ref(), text)?;
    let terms = it.ctx.terms;
    let byte = terms.bv_truncate(Width::W8, it.term(&value, width));
    Ok(Some(it.of_term(terms.bv_zero_extend(result_width(call), byte))))
}

/// `size_t fwrite(const void *at, size_t size, size_t count, FILE *stream)`
pub(crate) fn fwrite(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (size, count) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    let at = it.argument(arguments, 0);
    let Some(bytes) = size.checked_mul(count).filter(|it| *it <= 1 << 24) else {
        return Err(it.unsupported("fwrite of more than 16 MiB"));
    };
    if bytes > 0 {
        it.resolve(&at, bytes, Access::Read)?;
    }
    let mut text = Text::default();
    for index in 0..bytes {
        let byte = it.byte_at(&at, index)?;
        text.character(it, &byte, Width::W8)?;
    }
    print(it, call, Some(&it.argument(arguments, 3)), text)?;
    Ok(Some(Val::Int(if size == 0 { 0 } else { count })))
}

/// `setvbuf`, `setbuf`, `setlinebuf`: what is held back from here on is not followed.
pub(crate) fn set_buffer(it: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    it.state.process.flushed = None;
    Ok(call.result.as_ref().map(|_| Val::Int(0)))
}
