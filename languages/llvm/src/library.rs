//! The part of the C and C++ libraries that is compiled in: small sources of our own, for functions in which nothing but
//! the program's own branches matters (what forks by itself is built in: `libc`).
//!
//! Knows: which source defines which names, which of them a program needs, by its text. Never: the compiler
//! (`driver`), what the functions do.
//!
//! A source is compiled when a program refers to one of its names and does not define it; the program's own
//! definitions win. Reports show the line of the program that calls into it.
//!
//! A source whose name ends with `.cpp` is C++: its names are mangled, and those of variables count as well (the
//! `type_info` objects and tables of virtual functions of classes). It has no header but `prelude.hpp`, or includes those
//! of the machine's C++ library, whose templates it makes for `char`.

use rustc_hash::FxHashSet;

/// A source.
#[derive(Debug)]
pub struct Source {
    /// The module's name.
    pub name: &'static str,
    text: &'static str,
    names: &'static [&'static str],
    /// More names, in a file of their own: those of templates, which nobody writes by hand.
    listed: &'static str,
}

const PRELUDE: &str = include_str!("../library/prelude.h");

const PRELUDE_OF_CPP: &str = include_str!("../library/prelude.hpp");

const FUZZER: &str = include_str!("../library/fuzzer.h");

/// How the names of its modules begin; no file of a program is called so.
pub(crate) const ROOM: &str = "<library>/";

macro_rules! sources {
    ($($file:literal: $($name:ident)* $($list:literal)?;)*) => {
        /// All sources.
        pub const SOURCES: &[Source] = &[$(Source {
            name: concat!("<library>/", $file),
            text: include_str!(concat!("../library/", $file)),
            names: &[$(stringify!($name)),*],
            listed: listed!($($list)?),
        }),*];
    };
}

macro_rules! listed {
    () => {
        ""
    };
    ($list:literal) => {
        include_str!(concat!("../library/", $list))
    };
}

sources! {
    "sort.c": qsort qsort_r bsearch;
    "text.c": strtok strtok_r __strtok_r strsep strchrnul rawmemchr memrchr memmem memccpy strcasestr strlcpy strlcat
        strxfrm strverscmp swab basename __xpg_basename dirname ffs ffsl ffsll;
    "numbers.c": div ldiv lldiv imaxdiv htons ntohs htonl ntohl rand_r;
    "print.c": asprintf vasprintf __asprintf_chk __vasprintf_chk;
    "scan.c": sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf
        scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf
        __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf;
    "errors.c": strerror strerror_r __xpg_strerror_r;
    "time.c": gmtime gmtime_r localtime localtime_r mktime timelocal timegm difftime asctime asctime_r ctime ctime_r
        strftime;
    "options.c": getopt getopt_long;
    "locale.c": setlocale localeconv nl_langinfo __ctype_get_mb_cur_max textdomain bindtextdomain
        bind_textdomain_codeset gettext dgettext dcgettext ngettext wcwidth mbrtowc;
    "system.c": getpagesize posix_fadvise error;
    "wide_print.c": swprintf vswprintf;
    "wide.c": wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr wcsrchr wcsstr wmemcpy wmemmove
        wmemset wmemcmp wmemchr iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct
        iswspace iswupper iswxdigit towlower towupper btowc wctob mbsinit;
    "containers.cpp": _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base
        _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base
        _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
        _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ _ZNSt8__detail15_List_node_base7_M_hookEPS0_
        _ZNSt8__detail15_List_node_base9_M_unhookEv _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_
        _ZNSt8__detail15_List_node_base10_M_reverseEv _ZNSt8__detail15_List_node_base4swapERS0_S1_
        _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm
        _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm _ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm
        _ZNSaIcEC1Ev _ZNSaIcEC2Ev _ZNSaIcEC1ERKS_ _ZNSaIcEC2ERKS_ _ZNSaIcED1Ev _ZNSaIcED2Ev _ZNSaIwEC1Ev _ZNSaIwEC2Ev
        _ZNSaIwEC1ERKS_ _ZNSaIwEC2ERKS_ _ZNSaIwED1Ev _ZNSaIwED2Ev __libc_single_threaded;
    "exceptions.cpp": __cxa_throw _ZNSt9type_infoD2Ev _ZNKSt9type_infoeqERKS_ __cxa_begin_catch _ZSt9terminatev
        _ZNKSt9type_info6beforeERKS_ __dynamic_cast __cxa_allocate_exception __cxa_free_exception
        __cxa_init_primary_exception __cxa_get_exception_ptr __cxa_end_catch __cxa_rethrow
        __cxa_current_exception_type __cxa_call_unexpected __cxa_call_terminate _ZNSt9exceptionD2Ev
        _ZNKSt9exception4whatEv _ZNSt13bad_exceptionD2Ev _ZNKSt13bad_exception4whatEv _ZNSt9bad_allocD2Ev
        _ZNKSt9bad_alloc4whatEv _ZNSt20bad_array_new_lengthD2Ev _ZNKSt20bad_array_new_length4whatEv
        _ZNSt8bad_castD2Ev _ZNKSt8bad_cast4whatEv _ZNSt10bad_typeidD2Ev _ZNKSt10bad_typeid4whatEv
        _ZSt21__throw_bad_exceptionv _ZSt17__throw_bad_allocv _ZSt28__throw_bad_array_new_lengthv
        _ZSt16__throw_bad_castv _ZSt18__throw_bad_typeidv _ZSt19uncaught_exceptionsv _ZSt18uncaught_exceptionv
        _ZSt13set_terminatePFvvE _ZSt13get_terminatev _ZSt10unexpectedv _ZSt14set_unexpectedPFvvE
        _ZNSt15__exception_ptr13exception_ptrC2EPv _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv
        _ZNSt15__exception_ptr13exception_ptrC2Ev _ZNSt15__exception_ptr13exception_ptrC2ERKS0_
        _ZNSt15__exception_ptr13exception_ptraSERKS0_ _ZNSt15__exception_ptr13exception_ptr4swapERS0_
        _ZNSt15__exception_ptr13exception_ptrD2Ev _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv
        _ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv
        _ZNKSt15__exception_ptr13exception_ptr6_M_getEv _ZNSt15__exception_ptreqERKNS_13exception_ptrES2_
        _ZNSt15__exception_ptrneERKNS_13exception_ptrES2_ _ZSt17current_exceptionv
        _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE _ZNSt16nested_exceptionD2Ev __cxa_bad_cast
        __cxa_bad_typeid __cxa_throw_bad_array_new_length _ZNSt9type_infoD1Ev _ZNSt9exceptionD1Ev
        _ZNSt13bad_exceptionD1Ev _ZNSt9bad_allocD1Ev _ZNSt20bad_array_new_lengthD1Ev _ZNSt8bad_castD1Ev
        _ZNSt10bad_typeidD1Ev _ZNSt15__exception_ptr13exception_ptrC1EPv _ZNSt15__exception_ptr13exception_ptrC1Ev
        _ZNSt15__exception_ptr13exception_ptrC1ERKS0_ _ZNSt15__exception_ptr13exception_ptrD1Ev
        _ZNSt16nested_exceptionD1Ev _ZTISt9exception _ZTISt13bad_exception _ZTISt9bad_alloc
        _ZTISt20bad_array_new_length _ZTISt8bad_cast _ZTISt10bad_typeid _ZTVSt16nested_exception
        _ZTVN10__cxxabiv123__fundamental_type_infoE _ZTISt9type_info _ZTIv _ZTIPv _ZTIPKv _ZTIDn _ZTIPDn _ZTIPKDn
        _ZTIb _ZTIPb _ZTIPKb _ZTIw _ZTIPw _ZTIPKw _ZTIc _ZTIPc _ZTIPKc _ZTIh _ZTIPh _ZTIPKh _ZTIa _ZTIPa _ZTIPKa
        _ZTIs _ZTIPs _ZTIPKs _ZTIt _ZTIPt _ZTIPKt _ZTIi _ZTIPi _ZTIPKi _ZTIj _ZTIPj _ZTIPKj _ZTIl _ZTIPl _ZTIPKl
        _ZTIm _ZTIPm _ZTIPKm _ZTIx _ZTIPx _ZTIPKx _ZTIy _ZTIPy _ZTIPKy _ZTIf _ZTIPf _ZTIPKf _ZTId _ZTIPd _ZTIPKd
        _ZTIe _ZTIPe _ZTIPKe _ZTVN10__cxxabiv117__array_type_infoE _ZTVN10__cxxabiv116__enum_type_infoE
        _ZTVN10__cxxabiv120__function_type_infoE _ZTVN10__cxxabiv117__class_type_infoE
        _ZTVN10__cxxabiv120__si_class_type_infoE _ZTVN10__cxxabiv121__vmi_class_type_infoE
        _ZTVN10__cxxabiv119__pointer_type_infoE _ZTVN10__cxxabiv129__pointer_to_member_type_infoE _ZTVSt9type_info
        _ZTVSt9exception _ZTVSt13bad_exception _ZTVSt9bad_alloc _ZTVSt20bad_array_new_length _ZTVSt8bad_cast
        _ZTVSt10bad_typeid _ZTISt16nested_exception;
    "threads.cpp": _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
        _ZNSt6thread4joinEv _ZNSt6thread6detachEv _ZNSt6thread20hardware_concurrencyEv _ZNSt6thread6_StateD1Ev
        _ZNSt6thread6_StateD2Ev _ZTINSt6thread6_StateE _ZTVNSt6thread6_StateE _ZNSt18condition_variableC1Ev
        _ZNSt18condition_variableC2Ev _ZNSt18condition_variableD1Ev _ZNSt18condition_variableD2Ev
        _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE _ZNSt18condition_variable10notify_oneEv
        _ZNSt18condition_variable10notify_allEv _ZSt20__throw_system_errori _ZSt15__once_callable _ZSt11__once_call
        __once_proxy;
    "stdexcept.cpp": _ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt11logic_errorC2EPKc _ZNSt11logic_errorC2ERKS_ _ZNSt11logic_errorC2EOS_ _ZNSt11logic_erroraSERKS_
        _ZNSt11logic_erroraSEOS_ _ZNSt11logic_errorD2Ev _ZNKSt11logic_error4whatEv
        _ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt13runtime_errorC2EPKc
        _ZNSt13runtime_errorC2ERKS_ _ZNSt13runtime_errorC2EOS_ _ZNSt13runtime_erroraSERKS_ _ZNSt13runtime_erroraSEOS_
        _ZNSt13runtime_errorD2Ev _ZNKSt13runtime_error4whatEv _ZSt19__throw_logic_errorPKc
        _ZSt21__throw_runtime_errorPKc _ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt12domain_errorC2EPKc _ZNSt12domain_errorD2Ev _ZSt20__throw_domain_errorPKc
        _ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt16invalid_argumentC2EPKc _ZNSt16invalid_argumentD2Ev _ZSt24__throw_invalid_argumentPKc
        _ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt12length_errorC2EPKc
        _ZNSt12length_errorD2Ev _ZSt20__throw_length_errorPKc
        _ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt12out_of_rangeC2EPKc
        _ZNSt12out_of_rangeD2Ev _ZSt20__throw_out_of_rangePKc
        _ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt11range_errorC2EPKc
        _ZNSt11range_errorD2Ev _ZSt19__throw_range_errorPKc
        _ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt14overflow_errorC2EPKc
        _ZNSt14overflow_errorD2Ev _ZSt22__throw_overflow_errorPKc
        _ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt15underflow_errorC2EPKc
        _ZNSt15underflow_errorD2Ev _ZSt23__throw_underflow_errorPKc _ZSt24__throw_out_of_range_fmtPKcz
        _ZNSt17bad_function_callD2Ev _ZNKSt17bad_function_call4whatEv _ZSt25__throw_bad_function_callv
        _ZSt21__glibcxx_assert_failPKciS0_S0_
        _ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt11logic_errorC1EPKc
        _ZNSt11logic_errorC1ERKS_ _ZNSt11logic_errorC1EOS_ _ZNSt11logic_errorD1Ev
        _ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt13runtime_errorC1EPKc
        _ZNSt13runtime_errorC1ERKS_ _ZNSt13runtime_errorC1EOS_ _ZNSt13runtime_errorD1Ev
        _ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt12domain_errorC1EPKc
        _ZNSt12domain_errorD1Ev _ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt16invalid_argumentC1EPKc _ZNSt16invalid_argumentD1Ev
        _ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt12length_errorC1EPKc
        _ZNSt12length_errorD1Ev _ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt12out_of_rangeC1EPKc _ZNSt12out_of_rangeD1Ev
        _ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt11range_errorC1EPKc
        _ZNSt11range_errorD1Ev _ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
        _ZNSt14overflow_errorC1EPKc _ZNSt14overflow_errorD1Ev
        _ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE _ZNSt15underflow_errorC1EPKc
        _ZNSt15underflow_errorD1Ev _ZNSt17bad_function_callD1Ev _ZTVSt11logic_error _ZTVSt13runtime_error
        _ZTISt11logic_error _ZTISt13runtime_error _ZTVSt12domain_error _ZTISt12domain_error _ZTVSt16invalid_argument
        _ZTISt16invalid_argument _ZTVSt12length_error _ZTISt12length_error _ZTVSt12out_of_range _ZTISt12out_of_range
        _ZTVSt11range_error _ZTISt11range_error _ZTVSt14overflow_error _ZTISt14overflow_error _ZTVSt15underflow_error
        _ZTISt15underflow_error _ZTISt17bad_function_call _ZTVSt17bad_function_call;
    "streams.cpp": "streams.names";
    "file_streams.cpp": "file_streams.names";
    "manipulators.cpp": _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St12_Setiosflags
        _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision
        _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St14_Resetiosflags
        _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw
        _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_Setbase
        _ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St12_Setiosflags
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St13_Setprecision
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St14_Resetiosflags
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St5_Setw
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St8_Setbase
        _ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St8_SetfillIS3_E;
    "system_error.cpp": _ZNKSt10error_code23default_error_conditionEv _ZNKSt3_V214error_category10_M_messageB5cxx11Ei
        _ZNKSt3_V214error_category10equivalentERKSt10error_codei
        _ZNKSt3_V214error_category10equivalentEiRKSt15error_condition
        _ZNKSt3_V214error_category23default_error_conditionEi _ZNSt12system_errorD0Ev _ZNSt12system_errorD1Ev
        _ZNSt12system_errorD2Ev _ZNSt3_V214error_categoryD0Ev _ZNSt3_V214error_categoryD1Ev
        _ZNSt3_V214error_categoryD2Ev _ZNSt3_V215system_categoryEv _ZNSt3_V216generic_categoryEv
        _ZSt20__throw_system_errori _ZTINSt3_V214error_categoryE _ZTISt12system_error _ZTSNSt3_V214error_categoryE
        _ZTSSt12system_error _ZTVNSt3_V214error_categoryE _ZTVSt12system_error;
    "charconv.cpp": _ZSt10from_charsPKcS0_RdSt12chars_format _ZSt10from_charsPKcS0_ReSt12chars_format
        _ZSt10from_charsPKcS0_RfSt12chars_format _ZSt8to_charsPcS_d _ZSt8to_charsPcS_dSt12chars_format
        _ZSt8to_charsPcS_dSt12chars_formati _ZSt8to_charsPcS_e _ZSt8to_charsPcS_eSt12chars_format
        _ZSt8to_charsPcS_eSt12chars_formati _ZSt8to_charsPcS_f _ZSt8to_charsPcS_fSt12chars_format
        _ZSt8to_charsPcS_fSt12chars_formati;
}

impl Source {
    /// The functions and variables that it defines, of those that a program may ask for.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied().chain(self.listed.split_whitespace())
    }

    /// Whether it includes headers of the C++ library of this machine: it has the layout that a program has with them.
    pub fn has_headers(&self) -> bool {
        self.text.lines().any(|it| it.starts_with("#include <"))
    }

    /// Whether it is written in C++.
    pub fn is_cpp(&self) -> bool {
        self.name.ends_with(".cpp")
    }

    /// The whole text, as the compiler gets it.
    pub fn whole(&self) -> String {
        let prelude = match (self.is_cpp(), self.has_headers()) {
            (true, true) => "",
            (true, false) => PRELUDE_OF_CPP,
            (false, _) => PRELUDE,
        };
        format!("{prelude}#line 1 \"{}\"\n{}", self.name, self.text)
    }
}

/// Whether a module of this name is a part of the library.
pub fn is_part(name: &str) -> bool {
    name.starts_with(ROOM)
}

/// The first source that modules need and that is not among them.
pub fn needed(modules: &[(String, Vec<u8>)]) -> Option<&'static Source> {
    let lacks = |source: &&Source| modules.iter().all(|it| it.0 != source.name);
    let wanted = modules.iter().flat_map(|it| declared(&it.1).chain(external(&it.1)));
    let mut wanted: FxHashSet<&[u8]> = wanted.collect();
    for defined in modules.iter().flat_map(|it| names(&it.1, "define ")) {
        wanted.remove(defined);
    }
    SOURCES.iter().filter(lacks).find(|it| it.names().any(|name| wanted.contains(name.as_bytes())))
}

/// Whether a module defines a function.
pub(crate) fn defines(module: &[u8], name: &str) -> bool {
    names(module, "define ").any(|it| it == name.as_bytes())
}

/// A `main` that calls libFuzzer's target with each text of at most `most` bytes.
pub(crate) fn fuzzer(most: u64) -> String {
    FUZZER.replace("MOST", &most.min(1 << 16).to_string())
}

/// The same for a run that follows one input: its size stays a symbol, which has the value that it has.
pub(crate) fn followed_fuzzer(most: u64) -> String {
    fuzzer(most).replace("while (size < given) size++;", "size = given;")
}

/// The names of the functions that a module refers to and does not define.
pub(crate) fn declared(module: &[u8]) -> impl Iterator<Item = &[u8]> {
    names(module, "declare ")
}

/// The names of the variables that a module refers to and does not define: `@name = external constant ptr`.
fn external(module: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = module.split(|it| *it == b'\n').filter(|it| it.starts_with(b"@"));
    lines.filter_map(|line| {
        let length = memchr::memmem::find(line, b" = external ")?;
        Some(&line[1..length])
    })
}

/// The functions that lines with this beginning name.
fn names<'a>(text: &'a [u8], prefix: &'static str) -> impl Iterator<Item = &'a [u8]> {
    let lines = text.split(|it| *it == b'\n').filter(move |it| it.starts_with(prefix.as_bytes()));
    lines.filter_map(|line| {
        let start = line.iter().position(|it| *it == b'@')? + 1;
        let length = line[start..].iter().position(|it| *it == b'(')?;
        Some(&line[start..start + length])
    })
}
