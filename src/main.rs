//! The entry point of the program.

fn main() -> std::process::ExitCode {
    lectern::cli::main()
}
