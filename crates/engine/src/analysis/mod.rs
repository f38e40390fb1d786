//! What the captured data says about the application as a whole: one folder for each sort of question.

pub mod security;
