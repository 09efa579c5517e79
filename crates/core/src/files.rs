//! Reading of regular files, up to a size limit.
//!
//! A named pipe would block the reader until somebody writes, a device may never end, a folder has no bytes. Each is
//! refused before it is opened, so that neither a wait nor a side effect of opening a device can happen.

use std::fmt;
use std::fs::{File, FileType, OpenOptions};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::pack;

/// Reason why a file was not read.
#[derive(Debug)]
pub enum FileError {
    /// Error of the system.
    Io(io::Error),
    /// It is a folder, a pipe or a device, as named.
    NotRegular(&'static str),
    /// It is longer than this limit in bytes.
    TooLong(u64),
    /// It is not UTF-8; the first invalid line, from 1.
    NotText(usize),
    /// It begins with the byte order mark of UTF-16.
    Utf16,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(error) => write!(f, "{error}"),
            FileError::NotRegular(kind) => write!(f, "expected a regular file, this is {kind}"),
            FileError::TooLong(most) => write!(f, "longer than the {most} bytes such a file may have"),
            FileError::NotText(line) => {
                write!(f, "line {line} has bytes that are no UTF-8: expected text in UTF-8")
            }
            FileError::Utf16 => f.write_str("this is UTF-16: expected text in UTF-8"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        FileError::Io(error)
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> io::Error {
        match error {
            FileError::Io(error) => error,
            FileError::NotRegular("a folder") => io::Error::new(io::ErrorKind::IsADirectory, error),
            other => io::Error::new(io::ErrorKind::InvalidInput, other),
        }
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// The file cannot be opened or is not regular; a pipe without a writer is refused at once.
pub fn open(path: &Path) -> Result<File, FileError> {
    open_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file with these options, which may create it.
///
/// # Errors
/// Same as [`open`].
pub fn open_with(options: &mut OpenOptions, path: &Path) -> Result<File, FileError> {
    // Checked before opening: opening a device can have an effect.
    match std::fs::metadata(path) {
        Ok(there) => refuse_irregular(there.file_type())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    // The path may lead elsewhere by now, so the opened file is checked too; a pipe does not block.
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        options.custom_flags(i32::try_from(flags).unwrap_or(0));
    }
    let file = options.open(path)?;
    refuse_irregular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// Same as [`open`], or if the file is longer.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = open(path)?;
    if file.metadata()?.len() > most {
        return Err(FileError::TooLong(most));
    }
    // Some files of the system claim to be empty, and others grow while they are read.
    read_from(file, most)
}

/// Reads a stream of at most `most` bytes to its end.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_from(input: impl Read, most: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(FileError::TooLong(most)) } else { Ok(bytes) }
}

/// Reads a regular file of at most `most` bytes of UTF-8, without its byte order mark.
///
/// # Errors
/// Same as [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    text(read(path, most)?)
}

/// Reads a regular file of UTF-8 of any length; if it is compressed by zstd, what was compressed, to at most [`EXPANSION`]
/// times its length.
///
/// # Errors
/// Same as [`read_text`], or if it expands to more.
pub fn read_large_text(path: &Path) -> Result<String, FileError> {
    let file = open(path)?;
    let most = file.metadata()?.len().saturating_mul(EXPANSION);
    let mut file = BufReader::new(file);
    let mut bytes = Vec::new();
    if file.fill_buf()?.starts_with(&pack::STREAM) {
        let damaged = |error: io::Error| io::Error::new(error.kind(), format!("damaged zstd data: {error}"));
        let mut stream = pack::expand_stream(file)?.take(most.saturating_add(1));
        stream.read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 > most {
            return Err(FileError::TooLong(most));
        }
    } else {
        file.read_to_end(&mut bytes)?;
    }
    text(bytes)
}

/// Reports whether a regular file begins with `start`; if it is compressed by zstd, whether what was compressed does.
///
/// # Errors
/// Same as [`open`], or if it cannot be read.
pub fn begins_with(path: &Path, start: &[u8]) -> Result<bool, FileError> {
    let mut file = BufReader::new(open(path)?);
    let (mut bytes, most) = (Vec::new(), start.len() as u64);
    if file.fill_buf()?.starts_with(&pack::STREAM) {
        pack::expand_stream(file)?.take(most).read_to_end(&mut bytes)?;
    } else {
        file.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes == start)
}

/// The most bytes that a byte of a compressed text may stand for: certificates of strategies have about 13.
pub const EXPANSION: u64 = 256;

/// Decodes the bytes of a text file: UTF-8, without its byte order mark.
///
/// ```
/// use grundy_core::files::text;
/// assert_eq!(text(b"\xef\xbb\xbfa".to_vec()).unwrap(), "a");
/// assert_eq!(text(b"a\nb\xff".to_vec()).unwrap_err().to_string(), "line 2 has bytes that are no UTF-8: expected text in UTF-8");
/// assert_eq!(text(b"\xff\xfea\0".to_vec()).unwrap_err().to_string(), "this is UTF-16: expected text in UTF-8");
/// ```
///
/// # Errors
/// The bytes are not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, FileError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(FileError::Utf16);
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        FileError::NotText(before.iter().filter(|&&byte| byte == b'\n').count() + 1)
    })?;
    if without_mark(&text).len() < text.len() {
        text.drain(..MARK.len_utf8());
    }
    Ok(text)
}

/// The byte order mark, which some programs write in front of a text.
const MARK: char = '\u{feff}';

/// Strips a leading byte order mark from text that does not come from a file.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

fn refuse_irregular(kind: FileType) -> Result<(), FileError> {
    #[cfg(unix)]
    use std::os::unix::fs::FileTypeExt as _;
    let what = match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        #[cfg(unix)]
        kind if kind.is_fifo() => "a pipe",
        #[cfg(unix)]
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(FileError::NotRegular(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        read(path, 10).unwrap_err().to_string()
    }

    #[test]
    fn only_regular_files_of_the_expected_size_are_read() {
        let folder = std::env::temp_dir().join(format!("grundy-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (file, pipe) = (folder.join("file"), folder.join("pipe"));
        std::fs::write(&file, "0123456789").unwrap();
        assert_eq!(read_text(&file, 10).unwrap(), "0123456789");
        assert!(matches!(read(&file, 9), Err(FileError::TooLong(9))));
        assert_eq!(read_from(&b"0123456789"[..], 10).unwrap(), b"0123456789");
        assert!(matches!(read_from(std::io::repeat(b'0'), 9), Err(FileError::TooLong(9))));
        std::fs::write(&file, [0xff]).unwrap();
        assert!(matches!(read_text(&file, 9), Err(FileError::NotText(1))));
        std::fs::write(&file, "\u{feff}a").unwrap();
        assert_eq!(read_text(&file, 9).unwrap(), "a");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(refusal(&pipe), "expected a regular file, this is a pipe");
        assert!(matches!(
            open_with(OpenOptions::new().append(true).create(true), &pipe),
            Err(FileError::NotRegular("a pipe"))
        ));
        assert_eq!(refusal(&folder), "expected a regular file, this is a folder");
        assert_eq!(refusal(Path::new("/dev/zero")), "expected a regular file, this is a device");
        assert!(refusal(&folder.join("nothing")).contains("No such file"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_compressed_text_expands_within_bounds() {
        let file = std::env::temp_dir().join(format!("grundy-packed-{}", std::process::id()));
        let write = |blocks: usize| {
            let block: Vec<u8> =
                (0..1 << 12).flat_map(|n: u32| format!("{:x}\n", n * n).into_bytes()).collect();
            let mut bytes = Vec::new();
            pack::compress_stream(&mut bytes, |out| (0..blocks).try_for_each(|_| out.write_all(&block)))
                .unwrap();
            std::fs::write(&file, &bytes).unwrap();
            (block.len() * blocks, bytes)
        };
        let (length, bytes) = write(3);
        assert_eq!(read_large_text(&file).unwrap().len(), length);
        assert!(begins_with(&file, b"0\n1\n4\n9\n10\n").unwrap() && begins_with(&file, b"").unwrap());
        assert!(!begins_with(&file, b"1").unwrap());
        std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert!(matches!(read_large_text(&file), Err(FileError::Io(_))));
        write(20_000);
        assert!(matches!(read_large_text(&file), Err(FileError::TooLong(_))));
        std::fs::remove_file(&file).unwrap();
    }
}
