//! Words for an address, made from any text.

/// Lower-case ASCII words joined by hyphens, no longer than `longest` characters and cut at a
/// word's end where the text has one. Common Latin letters lose their accents, apostrophes close
/// up, everything else parts words. Blank where nothing remains.
pub fn slug(text: &str, longest: usize) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' => plain.push(c),
            'A'..='Z' => plain.push(c.to_ascii_lowercase()),
            // Apostrophes, combining accents and what has no width stand inside of a word.
            '\'' | '‘' | '’' | 'ʼ' | '`' | '´' | '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{ad}' => {}
            _ => plain.push_str(latin(c).unwrap_or("-")),
        }
    }
    let mut slug = String::with_capacity(longest);
    for word in plain.split('-').filter(|word| !word.is_empty()) {
        if slug.is_empty() {
            // The first word stays, however long: all is ASCII, so any place is a character's end.
            slug.push_str(&word[..word.len().min(longest)]);
        } else if slug.len() + 1 + word.len() <= longest {
            slug.push('-');
            slug.push_str(word);
        } else {
            break;
        }
    }
    slug
}

/// A letter of the Latin-1 Supplement, of Latin Extended-A or of Romanian in plain letters.
fn latin(c: char) -> Option<&'static str> {
    let lower = c.to_lowercase().next().unwrap_or(c);
    Some(match lower {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ª' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        '\u{133}' => "ij",
        'ĵ' => "j",
        'ķ' | 'ĸ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ŋ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'º' => "o",
        'ö' | 'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ſ' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ü' => "ue",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'þ' => "th",
        _ => return None,
    })
}
