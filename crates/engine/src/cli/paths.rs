//! Files and folders named on a command line, checked before any work begins.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use grundy_core::files;
use grundy_core::section::BEGINNING;

/// Parses the folder of tables. A missing one is created with the first table.
pub fn tables() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| if path.exists() { folder(path) } else { Ok(path) })
}

/// Parses a folder that is only read, which must exist.
pub fn existing_folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(folder)
}

/// Parses a file to be written, whose folder must exist. A file that other words of the command line name is refused: it would be
/// replaced by what is made from it.
pub fn written() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.is_dir() {
            return Err("expected a regular file, this is a folder".to_owned());
        }
        if is_named_again(&path) {
            return Err("this command reads it, too: expected another file to write".to_owned());
        }
        folder(above(&path).to_owned()).map(|_| path)
    })
}

/// Parses a file to be written that will be a certificate: if the file is there already, it must be empty or a certificate.
pub fn certificate() -> impl TypedValueParser<Value = PathBuf> {
    written().try_map(|path| {
        if !path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) {
            return Ok(path);
        }
        match files::begins_with(&path, BEGINNING.as_bytes()) {
            Ok(true) => Ok(path),
            Ok(false) => Err("this is no certificate: expected another file to write".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Returns the folder of a file.
fn above(path: &Path) -> &Path {
    path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Reports whether more than one word of the command line names a file that is there: by itself, behind `=` or as `-oFILE`.
fn is_named_again(path: &Path) -> bool {
    let Some(path) = path.canonicalize().ok().filter(|path| path.is_file()) else { return false };
    let names = |word: &str| {
        let behind = word.rsplit('=').next().and_then(|rest| rest.split(':').next());
        let pieces = [Some(word), behind, word.strip_prefix("-o")];
        pieces
            .into_iter()
            .flatten()
            .any(|piece| Path::new(piece).canonicalize().is_ok_and(|other| other == path))
    };
    std::env::args_os().skip(1).filter(|word| word.to_str().is_some_and(names)).count() > 1
}

/// Checks that no file to be written is one that is read, or another one that is written: their names may come from other files
/// than the command line.
///
/// # Errors
/// Names the first such file; one line.
pub fn apart<'p>(
    written: impl IntoIterator<Item = &'p Path>,
    read: impl IntoIterator<Item = &'p Path>,
) -> Result<(), String> {
    let place = |path: &Path| {
        path.canonicalize().ok().or_else(|| Some(above(path).canonicalize().ok()?.join(path.file_name()?)))
    };
    let mut taken: Vec<PathBuf> = read.into_iter().filter_map(place).collect();
    for path in written {
        // Several outputs may go to one device or pipe.
        if path.exists() && !path.is_file() {
            continue;
        }
        let Some(at) = place(path) else { continue };
        if taken.contains(&at) {
            return Err(format!(
                "{}: this command uses it twice: expected another file to write",
                path.display()
            ));
        }
        taken.push(at);
    }
    Ok(())
}

/// Checks that a folder exists.
///
/// # Errors
/// It does not, or is no folder; one line.
pub fn folder(path: PathBuf) -> Result<PathBuf, String> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Ok(path),
        Ok(_) => Err(format!("{} is no folder: expected one", path.display())),
        Err(error) => Err(format!("no folder {}: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(parser: impl TypedValueParser<Value = PathBuf>, word: &str) -> Result<PathBuf, String> {
        let command = clap::Command::new("test");
        parser.parse_ref(&command, None, word.as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn files_to_write_are_apart_from_the_others() {
        let file = std::env::current_exe().unwrap();
        let (folder, new) = (file.parent().unwrap(), file.with_file_name("no-such-file"));
        let twisted = folder.join(".").join(file.file_name().unwrap());
        assert_eq!(apart([&*new], [&*file]), Ok(()));
        assert!(apart([&*twisted], [&*file]).is_err());
        assert!(apart([&*new, &*new], [&*file]).is_err());
        assert_eq!(apart([Path::new("/dev/null"), Path::new("/dev/null")], []), Ok(()));
    }

    #[test]
    fn what_cannot_be_a_folder_or_written_is_named() {
        let file = std::env::current_exe().unwrap();
        let (file, inside) = (file.to_str().unwrap(), file.join("x"));
        assert!(parse(tables(), "/no/such/folder").is_ok() && parse(tables(), "/").is_ok());
        assert!(parse(tables(), file).unwrap_err().contains("is no folder"));
        assert!(parse(existing_folder(), "/").is_ok());
        assert!(parse(existing_folder(), "/no/such/folder").unwrap_err().contains("no folder /no/such"));
        assert!(
            parse(written(), "new").is_ok()
                && parse(written(), "/dev/full").is_ok()
                && parse(written(), file).is_ok()
        );
        assert!(parse(written(), "/no/such/file").unwrap_err().contains("no folder /no/such"));
        assert!(parse(written(), "/").unwrap_err().contains("this is a folder"));
        assert!(parse(written(), inside.to_str().unwrap()).is_err());
    }

    #[test]
    fn a_certificate_replaces_no_other_file() {
        let program = std::env::current_exe().unwrap();
        let error = parse(certificate(), program.to_str().unwrap()).unwrap_err();
        assert!(error.contains("this is no certificate: expected another file to write"), "{error}");
        assert!(parse(certificate(), "new").is_ok() && parse(certificate(), "/dev/full").is_ok());
        let file = std::env::temp_dir().join(format!("grundy-certificate-{}", std::process::id()));
        for text in ["", "grundy-certificate 1\n", "grundy-blocking 1\n", "grundy-equilibrium 1\n"] {
            std::fs::write(&file, text).unwrap();
            assert!(parse(certificate(), file.to_str().unwrap()).is_ok(), "{text:?}");
        }
        std::fs::remove_file(file).unwrap();
    }
}
